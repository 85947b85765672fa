import { isJsonObject, type JsonObject } from '@xs2a/domain/form/form-checks';
import { traceIdOf } from '@xs2a/observability/tracing/traceparent';
import { AsyncLocalStorage } from 'node:async_hooks';

/** The context that is passed with every call from the gateway to the last service. */
export interface CallContext {
  /** The TPP's X-Request-ID, or one that the gateway generated. */
  readonly requestId: string;
  /** W3C trace context: the current span, or the last recorded one. */
  readonly traceparent?: string;
  /** The originator of the call: a TPP's client id, a PSU's id or a service name. */
  readonly actor?: string;
  /** The language that the PSU, or the TPP on the PSU's behalf, requested (BCP 47). */
  readonly language?: string;
  /** The deadline of the call that is being handled ({@link Envelope.deadline}). */
  readonly deadline?: number;
}

export const callContext = new AsyncLocalStorage<CallContext>();

/** The log fields that link a log line to its request and to its trace. */
export const logFields = (
  context = callContext.getStore(),
): { readonly requestId?: string; readonly trace_id?: string } => {
  if (context === undefined) return {};
  const { requestId, traceparent } = context;
  return traceparent === undefined ? { requestId } : { requestId, trace_id: traceIdOf(traceparent) };
};

/** The clock offset that is passed with calls. The sandbox clock uses it; the production clock ignores it. */
export interface TravellingClock {
  readonly offsetMs: number;
  raiseTo(offsetMs: number): void;
}

/** The message of a call: its context and request in a single JSON text, so that no headers have to be parsed. */
export interface Envelope<Request> {
  readonly context?: CallContext;
  /** Offset of the sandbox clock in milliseconds. Absent if it is zero. */
  readonly clock?: number;
  /** True if the caller may wait longer than the idle timeout and therefore expects heartbeats (heartbeat.ts). */
  readonly heartbeat?: true;
  /** Identifies the call in an inquiry (second-try.ts). Absent if the call is not idempotent. */
  readonly id?: string;
  /** The caller's deadline in milliseconds since 1970, by the real-time clock of its host. */
  readonly deadline: number;
  readonly request: Request;
}

/**
 * Parses the message of a call. Undefined for an invalid message. The request is not validated here: caller and
 * service are compiled against the same contract, and the handler validates the TPP's input (docs/adr/0053).
 */
export const readEnvelope = (text: string): Envelope<unknown> | undefined => {
  const message = parse(text);
  return isJsonObject(message) && isEnvelope(message) ? message : undefined;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isNumberIfThere = (value: unknown): boolean => value === undefined || typeof value === 'number';
const isTextIfThere = (value: unknown): boolean => value === undefined || typeof value === 'string';

const isEnvelope = (message: JsonObject): message is JsonObject & Envelope<unknown> => {
  const { context, clock, id, deadline, request } = message;
  const isContext =
    context === undefined ||
    (isJsonObject(context) &&
      typeof context['requestId'] === 'string' &&
      isTextIfThere(context['traceparent']));
  return (
    isJsonObject(request) &&
    isContext &&
    isTextIfThere(id) &&
    isNumberIfThere(clock) &&
    typeof deadline === 'number'
  );
};
