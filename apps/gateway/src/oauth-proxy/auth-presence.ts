import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerAway } from './auth-answers.js';

/** Milliseconds without an answer after which the authorization server is asked whether it is up, repeatedly. */
const timeoutMs = 1200;

/**
 * A page may take a while (a password is being checked), but nobody waits for a server that stands still: the client is
 * answered in under two seconds when it is down. `isThere` rejects in time when it is.
 */
export const unlessAway = (
  request: FastifyRequest,
  reply: FastifyReply,
  isThere: () => Promise<unknown>,
): void => {
  const timer = setInterval(() => {
    isThere().catch(() => {
      if (!hasBegun(reply)) answerAway(request, reply);
    });
  }, timeoutMs);
  reply.raw.once('close', () => clearInterval(timer));
};

/** The client has been answered, or is being answered. */
export const hasBegun = ({ raw }: FastifyReply): boolean => raw.headersSent;
