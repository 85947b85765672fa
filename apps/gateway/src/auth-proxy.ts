import proxy from '@fastify/http-proxy';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';

/** What belongs to the authorization server: its endpoints, the SCA pages, and its discovery document. */
const prefixes = ['/oauth2', '/sca', '/.well-known'];

/** Headers by which a proxy vouches for its client: only what this gateway says may reach the authorization server. */
const vouching =
  /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-original-.*|client-cert.*|x-client-cert.*|(?:x-)?ssl-client-.*)$/;
const hopByHop = new Set(['connection', 'keep-alive']);

export const forwardedHeaders = (
  headers: IncomingHttpHeaders,
  { baseUrl, clientAddress, requestId }: { baseUrl: string; clientAddress: string; requestId: string },
): IncomingHttpHeaders => {
  const { host, protocol } = new URL(baseUrl);
  return {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => !vouching.test(name))),
    'x-forwarded-for': clientAddress,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-request-id': requestId,
  };
};

const awayPage = `<!doctype html><html lang="bg"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Опитайте отново</title><main><h1>Страницата временно не е достъпна</h1><p>Изчакайте малко и опитайте отново.</p>
<div lang="en"><h2>This page is not available for the moment</h2><p>Wait a little and try again.</p></div></main></html>`;

/** The authorization server is away: told to programs in the form of RFC 6749, to people as a page. */
const answerAway = (request: FastifyRequest, reply: FastifyReply): void => {
  reply.code(503).header('retry-after', '1');
  if (request.url.startsWith('/sca')) {
    reply
      .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
      .type('text/html')
      .send(awayPage);
  } else {
    reply.type('application/json').send(
      JSON.stringify({
        error: 'temporarily_unavailable',
        error_description: 'The authorization server is not available now. Send the request again.',
      }),
    );
  }
};

/** Hands everything under {@link prefixes} to the authorization server as it is, bodies unread. */
export const proxyToAuth = async (
  fastify: FastifyInstance,
  { authUrl, baseUrl }: { readonly authUrl: string; readonly baseUrl: string },
): Promise<void> => {
  for (const prefix of prefixes) {
    await fastify.register(proxy, {
      upstream: authUrl,
      prefix,
      rewritePrefix: prefix,
      httpMethods: ['GET', 'HEAD', 'POST'],
      disableRequestLogging: true,
      undici: { connections: 64, connect: { timeout: 1000 }, headersTimeout: 6000, bodyTimeout: 6000 },
      replyOptions: {
        // A request that failed is answered, never repeated behind the client's back.
        retryDelay: () => null,
        rewriteRequestHeaders: (request, headers) =>
          forwardedHeaders(headers as IncomingHttpHeaders, {
            baseUrl,
            clientAddress: request.ip,
            requestId: request.id,
          }),
        rewriteHeaders: (headers) =>
          Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name))),
        onError: (reply) => answerAway(reply.request as FastifyRequest, reply as FastifyReply),
      },
    });
  }
};
