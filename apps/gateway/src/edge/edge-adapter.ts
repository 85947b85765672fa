import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Failure } from '@xs2a/domain/failure/failures';
import type { ServiceParts } from '@xs2a/runtime/service-parts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { answerAbsent, isAuthPath } from '../auth-answers.js';
import { routedUrl } from '../public-path.js';
import { refusalOf } from '../tpp-messages.js';
import { sentRequestId } from './request-headers.js';

/** On every API answer (contract 2). */
export const standardHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** Those, and for a year only by TLS where the public origin has it (RFC 6797): on every answer, pages and errors too. */
export const answerHeaders = (baseUrl: string): Readonly<Record<string, string>> => ({
  ...standardHeaders,
  ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
});

/** Sends a refusal in the one error form (contract 3). */
export const refuse = (reply: FastifyReply, failures: readonly Failure[]): void => {
  const { status, headers, body } = refusalOf(failures);
  reply.code(status).headers(headers).type('application/json').send(JSON.stringify(body));
};

/** What Node's parser refuses before there is a request: answered on the bare socket. */
const answerOnSocket = (error: NodeJS.ErrnoException, socket: Socket, baseUrl: string): void => {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy(error);
    return;
  }
  const [status, failure] = socketRefusals[error.code ?? ''] ?? [400, 'headerMalformed'];
  const body = JSON.stringify(
    refusalOf([{ failure, text: 'This is not a request of HTTP/1.1 within the limits. Correct it.' }]).body,
  );
  const headers = {
    ...answerHeaders(baseUrl),
    'x-request-id': randomUUID(),
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
};

const socketRefusals: Readonly<Record<string, readonly [status: number, failure: 'headerMalformed']>> = {
  HPE_HEADER_OVERFLOW: [431, 'headerMalformed'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'headerMalformed'],
};

/** Fastify as the edge needs it: one path per endpoint, request ids, limits, and its own errors in the standard form. */
export const edgeAdapter = ({
  logger,
  config,
}: Pick<
  ServiceParts<ServiceParts['config'] & { readonly BASE_URL: string }>,
  'logger' | 'config'
>): FastifyAdapter =>
  new FastifyAdapter({
    skipMiddie: true,
    // The edge itself asks for the header Host, so that its absence is answered in the standard form.
    http: { requireHostHeader: false },
    rewriteUrl: (request: IncomingMessage) => routedUrl(request.url ?? '/'),
    requestIdHeader: false,
    genReqId: (request: IncomingMessage) => sentRequestId(request.headers) ?? randomUUID(),
    routerOptions: { maxParamLength: 16_384 },
    bodyLimit: 1024 * 1024,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    // A request that comes on a kept connection while the process drains is still answered.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerOnSocket(error, socket, config.BASE_URL),
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      logger.debug({ error }, 'a request that the router cannot read');
      reply.headers({ ...answerHeaders(config.BASE_URL), 'x-request-id': request.id });
      if (isAuthPath(request.url)) answerAbsent(request, reply);
      else refuse(reply, [{ failure: 'pathUnknown' }]);
    },
  });
