import type { CallContent, SentMessage } from '@xs2a/contracts/console.contract';
import { ownReads } from '@xs2a/contracts/sandbox/own-reads';
import type { Clock } from '@xs2a/runtime/clock';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccessToken } from '../checks/token/access-tokens.js';
import type { EndpointId } from '../endpoint-rules.js';
import { PerMinute } from './per-minute.js';
import {
  answerBodyWithoutSecrets,
  answerHeadersWithoutSecrets,
  hidden,
  requestBodyWithoutSecrets,
  requestHeadersWithoutSecrets,
  urlWithoutSecrets,
} from './without-secrets.js';

/** The bytes of a body that are kept. */
const maxBodyBytes = 32 * 1024;
/** The calls per TPP and minute whose content is kept, so that a load test does not fill the disk. */
const maxPerMinute = 100;
const notKept: ReadonlySet<string> = new Set(ownReads);

/**
 * The endpoints whose answer contains a password. The log does not contain the Idempotency-Key of their calls: with the key
 * and the body, the holder of a leaked token could repeat the call, and read the password in the stored answer.
 */
const answersWithPassword: ReadonlySet<string> = new Set(['createPsu'] satisfies EndpointId[]);
const withoutKey = (headers: FastifyRequest['headers']): FastifyRequest['headers'] =>
  'idempotency-key' in headers ? { ...headers, 'idempotency-key': hidden } : headers;

/** The beginning of a body, without secrets. It is cut once more after that, because `(hidden)` may take more space. */
const bodyOf = (
  body: unknown,
  withoutSecrets: (text: string) => string,
): Pick<SentMessage, 'body' | 'bodyCut'> => {
  if ((typeof body !== 'string' && !Buffer.isBuffer(body)) || body.length === 0) return {};
  const bytes = typeof body === 'string' ? Buffer.from(body.slice(0, maxBodyBytes)) : body;
  const shown = withoutSecrets(bytes.subarray(0, maxBodyBytes).toString('utf8'));
  const bodyCut = body.length > maxBodyBytes || bytes.length > maxBodyBytes || shown.length > maxBodyBytes;
  // PostgreSQL rejects half of a surrogate pair.
  return { body: shown.slice(0, maxBodyBytes).toWellFormed(), bodyCut: bodyCut || undefined };
};

/**
 * The endpoint that a call reached (`none` if no endpoint matches), and the access token that identifies the TPP of the
 * call.
 */
export interface RecordedCall {
  readonly endpoint: string;
  readonly token?: AccessToken | undefined;
}

/** Keeps what was sent in a call, without secrets; only in a sandbox with `CALL_BODIES`. */
export class CallContents {
  private readonly answers = new WeakMap<FastifyRequest, unknown>();
  private readonly limit: PerMinute;

  constructor(clock: Pick<Clock, 'realMs'>) {
    this.limit = new PerMinute(clock, maxPerMinute);
  }

  /** Remembers the body of each answer of an endpoint until the call has ended. */
  observe(fastify: FastifyInstance): void {
    fastify.addHook('onSend', (request, _reply, payload, done) => {
      if (request.edge !== undefined || request.unroutedToken !== undefined)
        this.answers.set(request, payload);
      done(null, payload);
    });
  }

  /** What was sent in a call that has ended; undefined for a call without a TPP, or beyond the limit per minute. */
  take(
    request: FastifyRequest,
    reply: FastifyReply,
    { endpoint, token }: RecordedCall,
  ): CallContent | undefined {
    if (token === undefined || notKept.has(endpoint) || !this.limit.take(token.clientId)) return undefined;
    return {
      request: {
        method: request.method,
        url: urlWithoutSecrets(request.originalUrl),
        headers: requestHeadersWithoutSecrets(
          answersWithPassword.has(endpoint) ? withoutKey(request.headers) : request.headers,
        ),
        ...bodyOf(request.body, requestBodyWithoutSecrets),
      },
      response: {
        headers: answerHeadersWithoutSecrets(reply.getHeaders()),
        ...bodyOf(this.answers.get(request), answerBodyWithoutSecrets),
      },
    };
  }
}
