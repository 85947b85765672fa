import cookie from '@fastify/cookie';
import passportPlugin from '@fastify/passport';
import session from '@fastify/session';
import type { Logger } from '@xs2a/observability/logger';
import { randomToken } from '@xs2a/runtime/ids';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bareHeaders, barePage } from '../pages/bare-page.js';
import { limitRequests } from './request-limit.js';
import type { IdentityProvider } from './identity-provider.js';
import type { Staff } from './staff.js';
import type { StaffSessions } from './staff-sessions.js';

export interface SignInParts {
  readonly provider: IdentityProvider;
  readonly sessions: StaffSessions;
  /** The console's origin. */
  readonly ownUrl: string;
  /** Sign the cookie; the first one signs, all are accepted. */
  readonly secrets: readonly string[];
  readonly logger: Logger;
  readonly isSandbox: boolean;
}

/** The path to which the identity provider returns a person. */
export const returnPath = '/sign-in/return';
/** What a session keeps when a person signs in and its id changes. */
const kept = ['returnTo'];

/**
 * Adds sessions and the sign-in by OpenID Connect to the server: passport decides, and the session's id changes at each
 * sign-in (session fixation).
 */
export const mountSignIn = async (fastify: FastifyInstance, parts: SignInParts): Promise<void> => {
  const { ownUrl, secrets, sessions } = parts;
  const isTls = ownUrl.startsWith('https://');
  await fastify.register(cookie);
  await fastify.register(session, {
    secret: [...secrets],
    store: sessions,
    cookieName: isTls ? '__Host-xs2a-console' : 'xs2a-console',
    cookie: { path: '/', httpOnly: true, sameSite: 'lax', secure: isTls },
    saveUninitialized: false,
    rolling: false,
  });
  const passport = new passportPlugin.Authenticator({ clearSessionIgnoreFields: kept });
  passport.registerUserSerializer(async (staff: Staff) => staff);
  passport.registerUserDeserializer(async (staff: Staff) => staff);
  await fastify.register(passport.initialize());
  await fastify.register(passport.secureSession());
  await limitRequests(fastify, parts.isSandbox);
  const signIn = authenticate(passport, parts);
  fastify.get('/sign-in', { onRequest: keepReturn }, signIn);
  fastify.get(returnPath, signIn);
};

type Passport = InstanceType<typeof passportPlugin.Authenticator>;
type Strategy = InstanceType<typeof passportPlugin.Strategy>;
type Handler = (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

const authenticate = (passport: Passport, { provider, logger }: SignInParts): Handler =>
  async function authenticateStaff(request, reply) {
    const strategy = await provider.strategy().catch((error: unknown) => {
      logger.warn({ error }, 'the identity provider of the staff does not answer');
    });
    if (strategy === undefined)
      return refuse(reply, 503, 'The identity provider does not answer', 'Try again in a minute.');
    // The strategy is declared for Express, of whose request it uses only what Fastify's has too.
    const declared = strategy as unknown as Strategy;
    const enter = passport.authenticate(declared, async (_request, _reply, error, staff) => {
      if (error !== null || !isStaff(staff)) {
        logger.warn({ error: error ?? undefined }, 'a sign-in of the staff failed');
        await refuse(reply, 401, 'You are not signed in', 'The sign-in was cancelled, or it took too long.');
      } else if (staff.roles.length === 0) {
        logger.warn({ staff: staff.subject }, 'a person without a role signed in');
        await refuse(reply, 403, 'You have no role here', 'Ask the administrator of your identity provider.');
      } else {
        await begin(staff, request, reply);
        logger.info({ staff: staff.subject, roles: staff.roles }, 'a member of the staff signed in');
      }
    });
    await enter.call(this, request, reply);
    // The reply may still wait for its session to be saved; without it, Fastify would send a second one.
    return reply;
  };

/** Begins the session of a person, under a new id, and returns to the page that was asked for. */
const begin = async (staff: Staff, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  const to = request.session.returnTo ?? '/';
  await request.logIn(staff);
  delete request.session.returnTo;
  request.session.csrf = randomToken();
  await reply.redirect(to, 303);
};

const isStaff = (value: unknown): value is Staff => typeof value === 'object' && value !== null;

const refuse = async (
  reply: FastifyReply,
  status: number,
  title: string,
  text: string,
): Promise<FastifyReply> =>
  reply
    .code(status)
    .headers(bareHeaders)
    .send(barePage(title, text, { to: '/sign-in', text: 'Sign in' }).text);

/**
 * Returns the address at which a person signs in to return to the page that was asked for. It is part of the address, because a
 * visit without a session must not write one: only a sign-in that begins does.
 */
export const signInPath = ({ method, url }: Pick<FastifyRequest, 'method' | 'url'>): string =>
  method !== 'GET' || url === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ to: url }).toString()}`;

/** Keeps the page to which a person returns, if it is one of this server. */
const keepReturn = async (request: FastifyRequest): Promise<void> => {
  const { to } = request.query as { readonly to?: unknown };
  const path = typeof to === 'string' ? ownPath(to) : undefined;
  if (path !== undefined) request.session.returnTo = path;
};

const anyOrigin = 'http://console.invalid';
/** Returns a path of this server as browsers read it; undefined for the address of another host, in any spelling. */
export const ownPath = (text: string): string | undefined => {
  if (!text.startsWith('/') || !URL.canParse(text, anyOrigin)) return undefined;
  const { origin, pathname, search } = new URL(text, anyOrigin);
  return origin === anyOrigin && !pathname.startsWith('//') ? pathname + search : undefined;
};
