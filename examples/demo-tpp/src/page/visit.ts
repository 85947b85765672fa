import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  ForbiddenException,
  Inject,
  Injectable,
  NotFoundException,
} from '@nestjs/common';
import { CONFIG } from '@xs2a/runtime/tokens';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import { type Market, markets } from '../bank/market.js';
import type { Settings } from '../config.js';
import { type AnyInitiated, type Session, Sessions } from './session.js';
import { Upload } from './upload.js';

/** A browser request and the session to which it belongs. */
export interface Visit {
  readonly market: Market;
  readonly session: Session;
  readonly path: string;
  readonly form: URLSearchParams;
  /** The file submitted with the form. */
  readonly file: Upload['file'];
  /** The user's IP address, which is passed to the bank. */
  readonly ip: string;
  /** Gives the browser a new session id. */
  readonly renewSession: () => void;
}
export type PageRequest = FastifyRequest & { visit: Visit };

/** Injects the {@link Visit} as a handler parameter. */
export const Visiting = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<PageRequest>().visit,
);

/**
 * Returns the session's initiation of the given kind and id. Throws if there is none, so that the page for an
 * unknown address is shown.
 */
export const findInitiated = <Kind extends AnyInitiated['kind']>(
  { session }: Visit,
  kind: Kind,
  id: string,
): Extract<AnyInitiated, { kind: Kind }> => {
  const known = session.initiated.get(id);
  if (known?.kind !== kind) throw new NotFoundException();
  return known as Extract<AnyInitiated, { kind: Kind }>;
};

const findCookie = (header: string | undefined, name: string): string | undefined =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** True if the form belongs to this session and was not sent by another site. */
const isOwnForm = (request: FastifyRequest, { form, session }: Visit): boolean => {
  const site = request.headers['sec-fetch-site'];
  const [sent, kept] = [Buffer.from(form.get('csrf') ?? ''), Buffer.from(session.csrf)];
  return (
    site !== 'cross-site' &&
    site !== 'same-site' &&
    sent.length === kept.length &&
    timingSafeEqual(sent, kept)
  );
};

/** Finds or starts the browser's session, and refuses a form that does not come from one of this app's pages. */
@Injectable()
export class SessionGuard implements CanActivate {
  private readonly isSecure: boolean;
  private readonly cookieName: string;
  private readonly market: Market;

  constructor(
    private readonly sessions: Sessions,
    @Inject(CONFIG) settings: Settings,
  ) {
    this.isSecure = settings.OWN_URL.startsWith('https:');
    this.market = markets[settings.CURRENCY];
    this.cookieName = `${this.isSecure ? '__Host-' : ''}demo_tpp`;
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<PageRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const sent = findCookie(request.headers.cookie, this.cookieName);
    const found = this.sessions.find(sent);
    const { id, session } = found === undefined ? this.sessions.begin() : { id: sent ?? '', session: found };
    if (found === undefined) this.setCookie(reply, id);
    const { body } = request;
    const upload = body instanceof Upload ? body : undefined;
    request.visit = {
      market: this.market,
      session,
      path: request.url.split('?', 1)[0] ?? '/',
      form: body instanceof URLSearchParams ? body : (upload?.fields ?? new URLSearchParams()),
      file: upload?.file,
      ip: request.ip,
      renewSession: () => this.setCookie(reply, this.sessions.renew(id, session)),
    };
    if (request.method !== 'GET' && !isOwnForm(request, request.visit)) throw new ForbiddenException();
    return true;
  }

  private setCookie(reply: FastifyReply, id: string): void {
    const secure = this.isSecure ? '; Secure' : '';
    // Removes the header first, because reply.header would add a second cookie.
    reply.removeHeader('Set-Cookie');
    reply.header('Set-Cookie', `${this.cookieName}=${id}; Path=/; HttpOnly; SameSite=Lax${secure}`);
  }
}
