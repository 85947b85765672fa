import proxy from '@fastify/http-proxy';
import { inboxBodyBytes, inboxPath } from '@xs2a/contracts/portal/inbox';
import { fail } from '@xs2a/domain/failure/failures';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { refuse } from '../edge/edge-adapter.js';
import { shareExceeded } from '../shares/share-requests.js';

/** The headers of a push that the inbox keeps. */
const forwarded = ['content-type', 'x-jws-signature', 'x-request-id', 'x-sandbox-clock'] as const;
/** The maximum time to wait for the portal, in milliseconds; an inbox may be slow on purpose. */
const maxAnswerMs = 12_000;
/** How long an idle connection to the portal is kept open, in milliseconds. */
const idleMs = 150;
/** The maximum length of an inbox's secret in the table of limits. Valid ones are shorter. */
const countedLength = 64;

interface InboxForwarding {
  readonly upstream: string;
  /** Returns how many seconds the sender must wait; undefined if it, and the inbox, are within their limits. */
  readonly secondsToWait: (request: FastifyRequest, inbox: string) => number | undefined;
}

/**
 * Forwards what is sent to the inboxes of the developer portal. Anybody may send, so the bodies are small, and both the
 * sender and the inbox have a limit; the portal knows which inboxes there are.
 */
export const proxyToInboxes = async (
  fastify: FastifyInstance,
  { upstream, secondsToWait }: InboxForwarding,
): Promise<void> => {
  await fastify.register(async (scope) => {
    scope.setErrorHandler(answerRefused);
    // The whole body is read first, so that a slow sender occupies no connection to the portal. It is passed on as a stream,
    // because the proxy would encode the bytes of a JSON body once more.
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: inboxBodyBytes },
      (_request, body, done) => done(null, Readable.from([body])),
    );
    scope.addHook('onRequest', async (request, reply) => {
      if (request.method === 'OPTIONS') return reply.code(204).header('allow', 'POST, OPTIONS').send();
      if (request.method !== 'POST') {
        reply.header('allow', 'POST, OPTIONS');
        return refuse(reply, [fail('methodNotAllowed')]);
      }
      const { secret } = request.params as { readonly secret: string };
      const wait = secondsToWait(request, secret.slice(0, countedLength));
      if (wait !== undefined) return refuse(reply, [{ ...shareExceeded, retryAfter: wait }]);
    });
    await scope.register(proxy, {
      upstream,
      routes: [`${inboxPath}/:secret`],
      httpMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      disableRequestLogging: true,
      proxyPayloads: false,
      undici: {
        connections: 256,
        connect: { timeout: 1000 },
        headersTimeout: maxAnswerMs,
        bodyTimeout: maxAnswerMs,
        keepAliveTimeout: idleMs,
        keepAliveMaxTimeout: idleMs,
      },
      replyOptions: {
        retryDelay: () => null,
        rewriteRequestHeaders: (_request, sent) => {
          const headers = sent as IncomingHttpHeaders;
          return {
            ...Object.fromEntries(forwarded.map((name) => [name, headers[name]] as const)),
            'content-length': headers['content-length'],
          };
        },
        rewriteHeaders: ({ 'retry-after': retryAfter }) =>
          retryAfter === undefined ? {} : { 'retry-after': retryAfter },
        onResponse: (_request, reply, response) => {
          const stream = Reflect.get(response, 'stream') as Readable;
          if (reply.statusCode !== 404) return reply.send(stream);
          stream.destroy();
          refuse(reply as FastifyReply, [fail('pathUnknown')]);
        },
        onError: (reply) => answerAway(reply as FastifyReply),
      },
    });
  });
};

const answerAway = (reply: FastifyReply): void =>
  refuse(reply, [{ failure: 'dependencyDown', retryAfter: 5, dependency: 'portal' }]);

/** Answers when the proxy itself rejects a request: its body is too large, its path invalid, or the portal is down. */
const answerRefused = (error: unknown, _request: FastifyRequest, reply: FastifyReply): void => {
  const status: unknown = Reflect.get(Object(error), 'statusCode');
  if (status === 413) refuse(reply, [fail('bodyTooLarge')]);
  else if (typeof status === 'number' && status < 500) refuse(reply, [fail('pathUnknown')]);
  else answerAway(reply);
};
