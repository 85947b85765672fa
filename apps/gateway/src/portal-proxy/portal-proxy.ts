import proxy from '@fastify/http-proxy';
import { portalSections } from '@xs2a/contracts/portal/portal-paths';
import { fail } from '@xs2a/domain/failure/failures';
import { ConfigError } from '@xs2a/runtime/config';
import { readPortal } from '@xs2a/runtime/portal/portal-config';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { refuse } from '../edge/edge-adapter.js';
import type { GatewayConfig } from '../config.js';
import { pagePolicy } from './page-policy.js';

/** The headers of a browser that the portal receives; cookies, tokens and certificates are none of its business. */
const forwarded = ['accept', 'accept-encoding'] as const;
/** The headers of the portal that belong to its connection with the gateway. */
const hopByHop = new Set(['connection', 'keep-alive']);
/** The maximum time to wait for the portal, in milliseconds. */
const maxAnswerMs = 1500;
/** How long an idle connection to the portal is kept open, in milliseconds. */
const idleMs = 150;
const allowed = 'GET, HEAD, OPTIONS';

/** Returns the address of the developer portal; undefined if it is off. Throws {@link ConfigError} if it is missing. */
export const portalUrl = (config: GatewayConfig & { readonly SANDBOX: boolean }): string | undefined => {
  if (readPortal(config) === 'off') return undefined;
  if (config.PORTAL_URL !== undefined) return config.PORTAL_URL;
  throw new ConfigError([`PORTAL_URL is missing: it is needed because PORTAL is ${config.PORTAL}`]);
};

const awayPage = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>The developer portal is temporarily unavailable</title><main><h1>The developer portal is temporarily unavailable</h1>
<p>The interface itself may work: see <a href="/health/ready">its health</a> and <a href="/openapi.json">its description</a>. Try again in a minute.</p></main></html>`;

const answerAway = (reply: FastifyReply): void => {
  reply.request.refusal = { failure: 'dependencyDown', dependency: 'portal' };
  reply
    .code(503)
    .headers({ 'retry-after': '5', ...pagePolicy })
    .type('text/html; charset=utf-8')
    .send(awayPage);
};

/** Answers when the proxy itself rejects a request: the path would leave its section, or the portal does not answer. */
const answerRefused = (error: unknown, _request: FastifyRequest, reply: FastifyReply): void => {
  const status: unknown = Reflect.get(Object(error), 'statusCode');
  if (typeof status === 'number' && status < 500) refuse(reply, [{ failure: 'pathUnknown' }]);
  else answerAway(reply);
};

/** Forwards `/` and the portal's sections to the developer portal, which only reads. */
export const proxyToPortal = async (fastify: FastifyInstance, upstream: string): Promise<void> => {
  await fastify.register(async (scope) => {
    scope.setErrorHandler(answerRefused);
    scope.addHook('onRequest', async (request, reply) => {
      if (request.method === 'GET' || request.method === 'HEAD') return;
      reply.header('allow', allowed);
      if (request.method === 'OPTIONS') await reply.code(204).send();
      else refuse(reply, [fail('methodNotAllowed')]);
    });
    await scope.register(proxy, {
      upstream,
      routes: ['/', ...portalSections.flatMap((section) => [section, `${section}/*`])],
      httpMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      disableRequestLogging: true,
      undici: {
        connections: 16,
        connect: { timeout: 1000 },
        headersTimeout: maxAnswerMs,
        bodyTimeout: maxAnswerMs,
        keepAliveTimeout: idleMs,
        keepAliveMaxTimeout: idleMs,
      },
      replyOptions: {
        retryDelay: () => null,
        rewriteRequestHeaders: (request, headers) => ({
          ...Object.fromEntries(
            forwarded.map((name) => [name, (headers as IncomingHttpHeaders)[name]] as const),
          ),
          'x-request-id': (request as FastifyRequest).id,
        }),
        rewriteHeaders: (headers) =>
          Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name))),
        onError: (reply) => answerAway(reply as FastifyReply),
      },
    });
  });
};
