import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Failure } from '@xs2a/domain/failure/failures';
import type { ServiceParts } from '@xs2a/runtime/service-parts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { answerAbsent, isAuthPath, noRouteOfAuth } from '../oauth-proxy/auth-answers.js';
import { CallLog } from './call-log.js';
import { routedUrl } from './public-path.js';
import { readCode, toRefusal } from './tpp-messages.js';
import { noRouteFor, type Offer } from './framework-errors.js';
import { sentRequestId } from '../checks/headers/request-headers.js';
import { clockHeaders } from '../sandbox/clock-header.js';

/** Sent with every API response (contract 2). */
const standardHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * The standard headers, plus HSTS for one year if the public origin uses TLS (RFC 6797). They are sent with every
 * response, including pages and errors.
 */
export const answerHeaders = (baseUrl: string): Readonly<Record<string, string>> => ({
  ...standardHeaders,
  ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
});

/** Sends a refusal in the standard error format (contract 3). */
export const refuse = (reply: FastifyReply, failures: readonly Failure[]): void => {
  const { challenges, errorPages } = reply.server;
  const { status, headers, body } = toRefusal(failures, challenges, errorPages);
  reply.request.refusal = failures[0] ?? { failure: 'internal' };
  reply.code(status).headers(headers).type('application/json').send(JSON.stringify(body));
};

/** A parser error of Node; `rawPacket` is the Buffer that was being parsed. */
interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: unknown;
  readonly bytesParsed?: number;
}

/** Responds directly on the socket when Node's parser rejects the bytes before a request object exists. */
const answerOnSocket = (
  error: ParserError,
  socket: Socket,
  {
    answerHeaders,
    log,
    ...offer
  }: Offer & { readonly answerHeaders: Readonly<Record<string, string>>; readonly log: CallLog },
): void => {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy(error);
    return;
  }
  const { status, allow, body } =
    (error.code === 'HPE_INVALID_METHOD' ? unknownMethod(error, offer) : undefined) ??
    malformedRequest(error);
  const requestId = randomUUID();
  log.write({ requestId, method: '-', endpoint: 'unreadable', status, ms: 0 });
  const headers = {
    ...answerHeaders,
    ...(allow === undefined ? {} : { allow }),
    'x-request-id': requestId,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
};

interface SocketAnswer {
  readonly status: number;
  readonly body: string;
  readonly allow?: string;
}

const socketStatuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const malformedRequest = ({ code = '' }: ParserError): SocketAnswer => {
  const text = 'This is not a valid HTTP/1.1 request, or it exceeds the limits. Correct it.';
  const { body } = toRefusal([{ failure: 'headerMalformed', text }]);
  return { status: socketStatuses[code] ?? 400, body: JSON.stringify(body) };
};

const requestLine = /^([!#$%&'*+.^_`|~\w-]+) (\/\S*) HTTP\/1\.[01]\r?\n/;

/** The response to a method that Node's parser does not recognise; undefined if the bytes contain no request line. */
const unknownMethod = (
  { rawPacket, bytesParsed = 0 }: ParserError,
  offer: Offer,
): SocketAnswer | undefined => {
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '';
  const line = packet.slice(packet.lastIndexOf('\n', bytesParsed) + 1);
  const [, method, target] = requestLine.exec(line) ?? [];
  if (method === undefined || target === undefined) return undefined;
  if (isAuthPath(target)) return noRouteOfAuth(target);
  const { failure = { failure: 'methodNotAllowed' }, allow } = noRouteFor(
    { method, url: routedUrl(target) },
    offer,
  );
  const { status, body } = toRefusal([failure]);
  return { status, body: JSON.stringify(body), allow };
};

/**
 * Creates Fastify with the configuration for the edge: one path per endpoint, request ids, limits, and Fastify's
 * own errors in the standard format.
 */
export const edgeAdapter = (
  parts: Pick<
    ServiceParts<ServiceParts['config'] & { readonly BASE_URL: string }>,
    'logger' | 'config' | 'profile' | 'clock'
  >,
): FastifyAdapter => {
  const { logger, config, profile } = parts;
  const log = new CallLog(logger);
  const headersNow = () => ({ ...answerHeaders(config.BASE_URL), ...clockHeaders(parts) });
  return new FastifyAdapter({
    skipMiddie: true,
    // The edge checks the Host header itself, so that a missing one gets an error in the standard format.
    http: { requireHostHeader: false },
    rewriteUrl: (request: IncomingMessage) => routedUrl(request.url ?? '/'),
    requestIdHeader: false,
    genReqId: (request: IncomingMessage) => sentRequestId(request.headers) ?? randomUUID(),
    routerOptions: { maxParamLength: 16_384 },
    bodyLimit: 1024 * 1024,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    // A request that arrives on a keep-alive connection while the process is shutting down is still answered.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) =>
      answerOnSocket(error, socket, {
        sandbox: config.SANDBOX,
        profile,
        answerHeaders: headersNow(),
        log,
      }),
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      logger.debug({ error }, 'the router refused a malformed request');
      reply.headers({ ...headersNow(), 'x-request-id': request.id });
      if (isAuthPath(request.url)) answerAbsent(request, reply);
      else {
        refuse(reply, [{ failure: 'pathUnknown' }]);
        void reply.server.noteUnreadable(request, reply);
      }
      const { id: requestId, method, refusal } = request;
      const code = readCode(refusal);
      log.write({ requestId, method, endpoint: 'unreadable', status: reply.statusCode, code, ms: 0 });
    },
  });
};
