import { type CanActivate, type ExecutionContext, ForbiddenException, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { isRefresh } from '../pages/refresh.js';
import { forRoles } from './for-roles.js';
import type { Role } from './roles.js';
import { SignInNeeded } from './sign-in-needed.js';
import { staffOf } from './staff.js';
import { StaffSessions } from './staff-sessions.js';

/** Admits only members of the staff with one of the roles that a handler names ({@link ForRoles}). */
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
    if (!isRefresh(request)) await this.sessions.use(request.session.sessionId);
    return true;
  }
}
