import { callContext } from '@xs2a/calls/context';
import type { FastifyRequest } from 'fastify';

/** Matches the first language in the header; the quality weights are ignored. */
const firstLanguage = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*/i;

/**
 * A Fastify hook that runs the rest of the request in its call context, so that every call that it causes includes
 * the request's id and TPP.
 */
export const inCallContext = (request: FastifyRequest, _reply: unknown, done: () => void): void => {
  if (request.edge === undefined) return done();
  const { 'accept-language': languages } = request.headers;
  const { caller, traced } = request;
  const context = {
    requestId: request.id,
    traceparent: traced?.traceparent,
    actor: caller?.tpp.clientId,
    language: languages === undefined ? undefined : firstLanguage.exec(languages)?.[0],
  };
  return callContext.run(context, done);
};
