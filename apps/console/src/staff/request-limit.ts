import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Requests a minute of a person who is signed in: a page that refreshes itself, and much clicking. */
const perSession = 600;
/** Requests a minute of one address before the sign-in: each sign-in costs a row and a question to the identity provider. */
const perAddress = 120;
/** What a sandbox admits from its own machine, on which tests run. */
const fromSandbox = 60_000;
const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** A session has a CSRF token once a person has signed in. */
const isSignedIn = ({ session }: FastifyRequest): boolean => session.csrf !== undefined;

/**
 * Limits how many requests one person, or one address without a session, may send to this instance. More are answered
 * 429 with Retry-After. Register it after the sessions.
 */
export const limitRequests = async (fastify: FastifyInstance, isSandbox: boolean): Promise<void> => {
  await fastify.register(rateLimit, {
    timeWindow: '1 minute',
    keyGenerator: (request) =>
      isSignedIn(request) ? `session ${request.session.sessionId}` : `address ${request.ip}`,
    max: (request) => {
      if (isSandbox && loopback.has(request.ip)) return fromSandbox;
      return isSignedIn(request) ? perSession : perAddress;
    },
    addHeadersOnExceeding: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
    },
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
  });
};
