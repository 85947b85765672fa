import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  ForbiddenException,
  Inject,
  Injectable,
} from '@nestjs/common';
import { CONFIG } from '@xs2a/runtime/tokens';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import type { PortalConfig } from '../config.js';
import { type Credentials, type Session, Sessions, sessionSeconds } from './session.js';

/** A request of a browser to the workspace. */
export interface Visit {
  readonly session: Session;
  /** The path and the query. */
  readonly url: string;
  readonly form: URLSearchParams;
  /** Begins another session and returns it; without credentials, nobody is signed in. */
  readonly beginSession: (tpp?: Credentials) => Promise<Session>;
}
/** A request of a TPP that has signed in. */
export interface TppVisit extends Visit {
  readonly tpp: Credentials;
}
type WorkspaceRequest = FastifyRequest & { visit?: Visit };

/** Injects the {@link Visit}, which {@link VisitGuard} makes. */
export const Visiting = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<WorkspaceRequest>().visit,
);

/** Thrown where a TPP must sign in first; the browser is sent to the sign-in. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded';
  constructor(
    /** The page that is shown after the sign-in. */
    readonly to: string,
  ) {
    super('sign in first');
  }
}

/** True if the form was made for this session. */
const isOwnForm = (form: URLSearchParams, { csrf }: Session): boolean => {
  const [sent, kept] = [Buffer.from(form.get('csrf') ?? ''), Buffer.from(csrf)];
  return sent.length === kept.length && timingSafeEqual(sent, kept);
};

/** Finds or begins the browser's session, and refuses a form that does not come from one of its pages. */
@Injectable()
export class VisitGuard implements CanActivate {
  constructor(
    private readonly sessions: Sessions,
    @Inject(CONFIG) private readonly config: PortalConfig,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<WorkspaceRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const found = await this.sessions.find(request.headers.cookie);
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    // A browser sends no SameSite cookie with a form from another site. A new cookie would replace the one that it has.
    if (request.method === 'POST' && (found === undefined || !isOwnForm(form, found)))
      throw new ForbiddenException();
    const session = found ?? (await this.setCookie(reply, this.sessions.begin()));
    request.visit = {
      session,
      url: request.url,
      form,
      beginSession: async (tpp) => this.setCookie(reply, this.sessions.begin(tpp)),
    };
    return true;
  }

  private async setCookie(reply: FastifyReply, session: Session): Promise<Session> {
    const value = await this.sessions.seal(session);
    const secure = this.config.BASE_URL.startsWith('https:') ? '; Secure' : '';
    // Removes the header first, because reply.header would add a second cookie.
    reply.removeHeader('set-cookie');
    reply.header(
      'set-cookie',
      `${this.sessions.cookieName}=${value}; Path=/; Max-Age=${sessionSeconds}; HttpOnly; SameSite=Lax${secure}`,
    );
    return session;
  }
}

/** Lets only TPPs pass that have signed in. Runs after {@link VisitGuard}. */
@Injectable()
export class TppGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { visit, method, url } = context.switchToHttp().getRequest<WorkspaceRequest>();
    if (visit?.session.tpp === undefined) throw new SignInNeeded(method === 'GET' ? url : '/workspace');
    Object.assign(visit, { tpp: visit.session.tpp });
    return true;
  }
}
