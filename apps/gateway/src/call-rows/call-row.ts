import type { CallRow } from '@xs2a/contracts/console.contract';
import { traceIdOf } from '@xs2a/observability/tracing/traceparent';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCode } from '../edge/tpp-messages.js';
import type { CallContents, RecordedCall } from './call-contents.js';
import { faultPath } from './fault-path.js';

const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i;

/**
 * The id of the payment, consent or basket in the path of the request, in the `Location` of a new one, or in the access
 * token; undefined for a text that no id of this service can have.
 */
const resourceId = (
  { params }: Pick<FastifyRequest, 'params'>,
  reply: FastifyReply,
  { token }: RecordedCall,
): string | undefined => {
  // `params` is undefined for a request whose URL the router could not parse.
  const { paymentId, basketId, consentId } = (params ?? {}) as Readonly<Record<string, string | undefined>>;
  const named = paymentId ?? basketId ?? consentId ?? reply.getHeader('location') ?? token?.consentId;
  return typeof named === 'string' ? uuid.exec(named)?.[0].toLowerCase() : undefined;
};

/** How a request ended: its status, its duration in milliseconds, and when it arrived (real time, epoch milliseconds). */
export interface Ending {
  readonly status: number;
  readonly ms: number;
  readonly atMs: number;
}

/** What rows may contain of the text that a client wrote. */
export interface RowSources {
  /** The names of the contract, which are the only ones that a row contains. */
  readonly names: () => ReadonlySet<string>;
  /** If absent, no headers and bodies are kept. */
  readonly contents?: Pick<CallContents, 'take'>;
}

/** The row of an answered call. */
export const callRow = (
  request: FastifyRequest,
  reply: FastifyReply,
  call: RecordedCall,
  { status, ms, atMs }: Ending,
  { names, contents }: RowSources,
): CallRow => {
  const { id, traced, refusal } = request;
  return {
    at: new Date(atMs).toISOString(),
    requestId: id,
    traceId: traced && traceIdOf(traced.traceparent),
    tppId: call.token?.clientId,
    operation: call.endpoint,
    status,
    code: readCode(refusal),
    failure: refusal?.failure,
    path: refusal && faultPath(refusal, names()),
    dependency: refusal?.dependency,
    ms: Math.round(ms * 10) / 10,
    bytes: Number(reply.getHeader('content-length') ?? 0),
    resourceId: resourceId(request, reply, call),
    content: contents?.take(request, reply, call),
  };
};
