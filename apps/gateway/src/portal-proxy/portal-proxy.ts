import proxy from '@fastify/http-proxy';
import { portalSections, workspace, workspaceCookie } from '@xs2a/contracts/portal/portal-paths';
import { fail } from '@xs2a/domain/failure/failures';
import { ConfigError } from '@xs2a/runtime/config';
import { readPortal } from '@xs2a/runtime/portal/portal-config';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { refuse } from '../edge/edge-adapter.js';
import type { GatewayConfig } from '../config.js';
import { pagePolicy } from './page-policy.js';

/** The headers of a browser that the portal receives; tokens and certificates are none of its business. */
const forwarded = ['accept', 'accept-encoding', 'content-type'] as const;
/** The headers of the portal that belong to its connection with the gateway. */
const hopByHop = new Set(['connection', 'keep-alive']);
/** The maximum time to wait for a document, and for a page of the workspace, which may call the API; in milliseconds. */
const documentMs = 1500;
const workspaceMs = 8000;
/** The largest form of the workspace, in bytes. */
const formBytes = 128 * 1024;
/** How long an idle connection to the portal is kept open, in milliseconds. */
const idleMs = 150;

/** Returns the address of the developer portal; undefined if it is off. Throws {@link ConfigError} if it is missing. */
export const portalUrl = (config: GatewayConfig & { readonly SANDBOX: boolean }): string | undefined => {
  if (readPortal(config) === 'off') return undefined;
  if (config.PORTAL_URL !== undefined) return config.PORTAL_URL;
  throw new ConfigError([`PORTAL_URL is missing: it is needed because PORTAL is ${config.PORTAL}`]);
};

const plainPage = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><main><h1>${title}</h1>
<p>${body}</p></main></html>`;

const answerPlain = (reply: FastifyReply, status: number, waitSeconds: number, page: string): void => {
  reply
    .code(status)
    .headers({ 'retry-after': String(waitSeconds), 'cache-control': 'no-store', ...pagePolicy })
    .type('text/html; charset=utf-8')
    .send(page);
};

const answerAway = (reply: FastifyReply): void => {
  reply.request.refusal = { failure: 'dependencyDown', dependency: 'portal' };
  const links =
    'The interface itself may work: see <a href="/health/ready">its health</a> and <a href="/openapi.json">its description</a>. Try again in a minute.';
  answerPlain(reply, 503, 5, plainPage('The developer portal is temporarily unavailable', links));
};

const answerTooMany = (reply: FastifyReply, seconds: number): void => {
  const text = `Too many forms come from your internet address. Wait ${seconds} s, go back and send the form again.`;
  answerPlain(reply, 429, seconds, plainPage('Too many requests', text));
};

const answerTooLarge = (reply: FastifyReply): void => {
  reply
    .code(413)
    .headers(pagePolicy)
    .type('text/html; charset=utf-8')
    .send(plainPage('This form is too large', 'Go back and shorten it.'));
};

/** Answers when the proxy itself rejects a request: the path would leave its section, or the portal does not answer. */
const answerRefused = (error: unknown, _request: FastifyRequest, reply: FastifyReply): void => {
  const status: unknown = Reflect.get(Object(error), 'statusCode');
  if (status === 413) answerTooLarge(reply);
  else if (typeof status === 'number' && status < 500) refuse(reply, [{ failure: 'pathUnknown' }]);
  else answerAway(reply);
};

/** The cookie of the workspace. The PSU's pages may share the origin, and the portal must not see their cookies. */
const workspaceCookieOf = (header: string | undefined, name: string): string | undefined =>
  header
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`));

interface Forwarding {
  readonly upstream: string;
  readonly baseUrl: string;
  /** True if the portal has a workspace. */
  readonly hasWorkspace: boolean;
  /** Returns how many seconds a client that has sent too many forms must wait; undefined if it is within its limit. */
  readonly secondsToWait: (request: FastifyRequest) => number | undefined;
}

/**
 * Forwards `/` and the portal's sections to the developer portal. Only the workspace accepts forms. Its cookie is forwarded to
 * it and to `/`.
 */
export const proxyToPortal = async (fastify: FastifyInstance, forwarding: Forwarding): Promise<void> => {
  const documents = portalSections.filter((section) => section !== workspace);
  await forward(fastify, forwarding, { sections: documents, maxAnswerMs: documentMs });
  if (forwarding.hasWorkspace)
    await forward(fastify, forwarding, { sections: [workspace], maxAnswerMs: workspaceMs });
};

const forward = async (
  fastify: FastifyInstance,
  { upstream, baseUrl, hasWorkspace, secondsToWait }: Forwarding,
  { sections, maxAnswerMs }: { readonly sections: readonly string[]; readonly maxAnswerMs: number },
): Promise<void> => {
  const isWorkspace = sections.includes(workspace);
  const methods = isWorkspace ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD'];
  const cookie = workspaceCookie(baseUrl);
  // The start page shows the client id of the developer who has signed in.
  const hasCookie = ({ routeOptions }: FastifyRequest): boolean =>
    isWorkspace || (hasWorkspace && routeOptions.url === '/');
  await fastify.register(async (scope) => {
    scope.setErrorHandler(answerRefused);
    // The whole form is read first, so that a client that sends it slowly occupies no connection to the portal.
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: formBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.addHook('onRequest', async (request, reply) => {
      const wait = request.method === 'POST' ? secondsToWait(request) : undefined;
      if (wait !== undefined) return answerTooMany(reply, wait);
      if (methods.includes(request.method)) return;
      reply.header('allow', [...methods, 'OPTIONS'].join(', '));
      if (request.method === 'OPTIONS') await reply.code(204).send();
      else refuse(reply, [fail('methodNotAllowed')]);
    });
    await scope.register(proxy, {
      upstream,
      routes: [...(isWorkspace ? [] : ['/']), ...sections.flatMap((section) => [section, `${section}/*`])],
      httpMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      disableRequestLogging: true,
      proxyPayloads: false,
      undici: {
        connections: 64,
        connect: { timeout: 1000 },
        headersTimeout: maxAnswerMs,
        bodyTimeout: maxAnswerMs,
        keepAliveTimeout: idleMs,
        keepAliveMaxTimeout: idleMs,
      },
      replyOptions: {
        retryDelay: () => null,
        rewriteRequestHeaders: (request, sent) => {
          const headers = sent as IncomingHttpHeaders;
          return {
            ...Object.fromEntries(forwarded.map((name) => [name, headers[name]] as const)),
            ...(hasCookie(request as FastifyRequest)
              ? { cookie: workspaceCookieOf(headers.cookie, cookie) }
              : {}),
            'content-length': headers['content-length'],
            'x-request-id': (request as FastifyRequest).id,
          };
        },
        rewriteHeaders: (headers) =>
          Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name))),
        onError: (reply) => answerAway(reply as FastifyReply),
      },
    });
  });
};
