import proxy, { type FastifyHttpProxyOptions } from '@fastify/http-proxy';
import { gatewaySecretHeader } from '@xs2a/contracts/oauth-paths';
import type { Failure } from '@xs2a/domain/failure/failures';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { clientCertHeader, clientCertValue } from '@xs2a/qwac/certificate-header';
import type { Presented } from '@xs2a/qwac/client-certificates';
import { hasBegun, unlessAway } from './auth-presence.js';
import {
  answerAbsent,
  answerAway,
  answerTooMany,
  answerUncertified,
  authPrefixes,
  isProxied,
} from './auth-answers.js';
import { parsePath } from '../edge/public-path.js';

/**
 * Headers in which a proxy describes its client. Only the gateway's own reach the authorization server.
 * Certificate headers were removed when the request arrived ({@link CertificateCheck.take}).
 */
const vouching = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-original-.*)$/;
/**
 * A header name in the form to which a server behind this one might normalise it: `SSL_Client_Cert` becomes
 * `ssl-client-cert`.
 */
export const plainName = (name: string): string => name.toLowerCase().replaceAll('_', '-');
const hopByHop = new Set(['connection', 'keep-alive']);
/** The gateway has answered the expectation itself, and undici refuses to forward it. */
const isForwarded = (name: string): boolean => name !== 'expect' && !vouching.test(plainName(name));
/** How long an idle connection to the authorization server is kept open, in milliseconds. */
const idleMs = 150;
/**
 * The maximum time to wait for a response from the authorization server, in milliseconds. The instance that
 * reports the server as up (auth-presence.ts) may not be the one that received this request, which may hang.
 */
const maxAnswerMs = 3000;

const forwardedHeaders = (
  headers: IncomingHttpHeaders,
  {
    origin,
    gatewaySecret,
    clientAddress,
    requestId,
    traceparent,
    certificate,
  }: {
    origin: string;
    gatewaySecret: string;
    clientAddress: string;
    requestId: string;
    traceparent: string | undefined;
    certificate?: Presented;
  },
): IncomingHttpHeaders => {
  const { host, protocol } = new URL(origin);
  return {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => isForwarded(name))),
    'x-forwarded-for': clientAddress,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-request-id': requestId,
    traceparent,
    // Because of this header, the authorization server trusts the other headers.
    [gatewaySecretHeader]: gatewaySecret,
    ...(certificate !== undefined && 'der' in certificate
      ? { [clientCertHeader]: clientCertValue(certificate.der) }
      : {}),
  };
};

/** Responds when the proxy itself rejects a request. A path that would leave its prefix is treated as unknown. */
const answerRefused = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const status: unknown = Reflect.get(Object(error), 'statusCode');
  if (status === 413) answerAbsent(request, reply, 413);
  else if (typeof status === 'number' && status < 500) answerAbsent(request, reply);
  else answerAway(request, reply);
};

/**
 * True for a POST by a TPP. Only a POST of the authorization request may come from a PSU's browser, which has no
 * certificate.
 */
const isFromTpp = ({ method, url }: Pick<FastifyRequest, 'method' | 'url'>): boolean =>
  method === 'POST' && url.startsWith('/oauth2/') && parsePath(url) !== '/oauth2/authorize';

/**
 * True for the paths that a PSU's browser opens: the pages, and the authorization endpoint, which redirects to the
 * pages and to which the browser returns.
 */
export const isForBrowsers = (url: string): boolean =>
  /^\/(?:sca|oauth2\/authorize)(?:\/|$)/.test(parsePath(url));

/** Forwards requests below {@link authPrefixes} to the authorization server, unchanged and with their bodies unread. */
export const proxyToAuth = async (
  fastify: FastifyInstance,
  {
    authUrl,
    gatewaySecret,
    baseUrl,
    pagesUrl,
    certificateFailure,
    secondsToWait,
    isThere,
  }: {
    readonly authUrl: string;
    /** The secret with which the gateway authenticates to the authorization server. */
    readonly gatewaySecret: string;
    readonly baseUrl: string;
    readonly pagesUrl: string;
    readonly certificateFailure: (presented: Presented | undefined) => Failure | undefined;
    /**
     * Returns how many seconds a client that has sent too many requests must wait; undefined if it is within its
     * limit.
     */
    readonly secondsToWait: (request: FastifyRequest) => number | undefined;
    /** Rejects after a short time if the authorization server does not answer. */
    readonly isThere: () => Promise<unknown>;
  },
): Promise<void> => {
  await fastify.register(async (scope) => {
    scope.setErrorHandler(answerRefused);
    scope.addHook('onRequest', (request, reply, done) => {
      if (!isProxied(request.url)) return answerAbsent(request, reply);
      const failure = isFromTpp(request) ? certificateFailure(request.clientCertificate) : undefined;
      if (failure !== undefined) return answerUncertified(request, reply, failure, baseUrl);
      const wait = secondsToWait(request);
      if (wait !== undefined) return answerTooMany(request, reply, wait);
      unlessAway(request, reply, isThere);
      return done();
    });
    for (const prefix of authPrefixes)
      await scope.register(proxy, proxyOptions(prefix, authUrl, { gatewaySecret, baseUrl, pagesUrl }));
  });
};

const proxyOptions = (
  prefix: string,
  upstream: string,
  {
    gatewaySecret,
    baseUrl,
    pagesUrl,
  }: { readonly gatewaySecret: string; readonly baseUrl: string; readonly pagesUrl: string },
): FastifyHttpProxyOptions => ({
  upstream,
  prefix,
  rewritePrefix: prefix,
  // Some of these methods are rejected by the authorization server, in its own format.
  httpMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  disableRequestLogging: true,
  undici: {
    connections: 64,
    connect: { timeout: 1000 },
    headersTimeout: maxAnswerMs,
    bodyTimeout: maxAnswerMs,
    // Much shorter than the time for which a server that is shutting down waits for its clients to disconnect
    // (kept-connections.ts), so no connection is closed during a request.
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
  },
  replyOptions: {
    // A failed request is answered with an error and never retried, because the client would not know.
    retryDelay: () => null,
    rewriteRequestHeaders: (request, headers) =>
      forwardedHeaders(headers as IncomingHttpHeaders, {
        origin: isForBrowsers((request as FastifyRequest).url) ? pagesUrl : baseUrl,
        gatewaySecret,
        clientAddress: request.ip,
        requestId: request.id,
        traceparent: (request as FastifyRequest).traced?.traceparent,
        certificate: (request as FastifyRequest).clientCertificate,
      }),
    rewriteHeaders: (headers) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name))),
    onResponse: (_request, reply, response) => {
      const stream = Reflect.get(response, 'stream') as Readable;
      // The server was assumed to be down, and the client has already received an error.
      if (hasBegun(reply as FastifyReply)) stream.destroy();
      else reply.send(stream);
    },
    onError: (reply) => answerAway(reply.request as FastifyRequest, reply as FastifyReply),
  },
});
