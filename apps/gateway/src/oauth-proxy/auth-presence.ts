import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerAway } from './auth-answers.js';

/** Milliseconds without a response after which the authorization server is repeatedly asked whether it is up. */
const timeoutMs = 1200;

/**
 * A page may take a while (a password is being checked), but no client waits for a server that hangs: if it is
 * down, the client gets an error in under two seconds. `isThere` then rejects in time.
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

/** True if a response has been sent or has started. */
export const hasBegun = ({ raw }: FastifyReply): boolean => raw.headersSent;
