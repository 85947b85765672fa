import { type CanActivate, type ExecutionContext, ForbiddenException, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { SharedSecrets } from '@xs2a/runtime/secrets/shared-secrets';
import type { FastifyRequest } from 'fastify';
import { isRefresh } from '../pages/refresh.js';
import { forRoles } from './for-roles.js';
import type { Role } from './roles.js';
import { SignInNeeded } from './sign-in-needed.js';
import { staffOf } from './staff.js';
import { StaffSessions } from './staff-sessions.js';

/**
 * Admits only members of the staff with one of the roles that a handler names ({@link ForRoles}). A request that may change
 * something must also be a form of the same session: every method except GET and HEAD needs the session's CSRF token.
 */
@Injectable()
export class StaffGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: StaffSessions,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const staff = staffOf(request);
    if (staff === undefined) throw new SignInNeeded();
    const admitted = this.reflector.getAllAndOverride<readonly Role[] | undefined>(forRoles, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (admitted?.some((role) => staff.roles.includes(role)) !== true) throw new ForbiddenException();
    if (!isReading(request) && !isOwnForm(request)) throw new ForbiddenException();
    if (!isRefresh(request)) await this.sessions.use(request.session.sessionId);
    return true;
  }
}

const isReading = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

/** True for a form that contains the CSRF token of this session. */
const isOwnForm = ({ body, session: { csrf } }: FastifyRequest): boolean =>
  csrf !== undefined &&
  body instanceof URLSearchParams &&
  new SharedSecrets([csrf]).accepts(body.get('csrf'));
