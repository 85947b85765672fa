import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerAway } from './auth-answers.js';

/**
 * If the authorization server has not responded after this many milliseconds, the gateway asks it repeatedly
 * whether it is up.
 */
const timeoutMs = 1200;

/**
 * A page may take a while, for example while a password is being checked, but no client should wait for a server
 * that hangs: if the server is down, the client gets an error in under two seconds. In that case `isThere` rejects
 * in time.
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

/** True if the response has been sent or is being sent. */
export const hasBegun = ({ raw }: FastifyReply): boolean => raw.headersSent;
