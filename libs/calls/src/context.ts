import { isJsonObject, type JsonObject } from '@xs2a/domain/form/form-checks';
import { AsyncLocalStorage } from 'node:async_hooks';

/** The context that every call carries from the gateway to the last service. */
export interface CallContext {
  /** The TPP's X-Request-ID, or one that the gateway generated. */
  readonly requestId: string;
  /** W3C trace context. */
  readonly traceparent?: string;
  /** The originator of the call: a TPP's client id, a PSU's id or a service name. */
  readonly actor?: string;
  /** BCP 47: the language that the PSU, or the TPP on its behalf, requested. */
  readonly language?: string;
}

export const callContext = new AsyncLocalStorage<CallContext>();

/** The log field that links a line to the X-Request-ID of its request. */
export const requestIn = (context = callContext.getStore()): Partial<Pick<CallContext, 'requestId'>> =>
  context === undefined ? {} : { requestId: context.requestId };

/** The clock offset that calls carry; the sandbox clock uses it, the production clock ignores it. */
export interface TravellingClock {
  readonly offsetMs: number;
  raiseTo(offsetMs: number): void;
}

/** The message of a call: context and request in one JSON text, so that no headers have to be parsed. */
export interface Envelope<Request> {
  readonly context?: CallContext;
  /** Offset of the sandbox clock in milliseconds; absent when it is zero. */
  readonly clock?: number;
  /** True if the caller waits longer than the idle timeout and expects heartbeats (heartbeat.ts). */
  readonly heartbeat?: true;
  /** Identifies the call in an inquiry (second-try.ts). Absent if the call is not idempotent. */
  readonly id?: string;
  /** The caller's deadline in the real time of its host: milliseconds since 1970. */
  readonly deadline: number;
  readonly request: Request;
}

/**
 * Parses the message of a call; undefined for an invalid message. The request is not validated here: caller and
 * service are compiled against one contract, and the handler validates the TPP's input (docs/adr/0053).
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

const isEnvelope = (message: JsonObject): message is JsonObject & Envelope<unknown> => {
  const { context, clock, id, deadline, request } = message;
  const isContext =
    context === undefined || (isJsonObject(context) && typeof context['requestId'] === 'string');
  const isId = id === undefined || typeof id === 'string';
  return isJsonObject(request) && isContext && isId && isNumberIfThere(clock) && typeof deadline === 'number';
};
