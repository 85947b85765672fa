import { isJsonObject, type JsonObject } from '@xs2a/domain/form/form-checks';
import { AsyncLocalStorage } from 'node:async_hooks';

/** The context that goes with every call from the gateway to the last service. */
export interface CallContext {
  /** The TPP's X-Request-ID, or one that the gateway made. */
  readonly requestId: string;
  /** W3C trace context. */
  readonly traceparent?: string;
  /** The client id of a TPP, the id of a PSU or the name of a service that caused the call. */
  readonly actor?: string;
  /** BCP 47: what the PSU, or the TPP on its behalf, asked to be answered in. */
  readonly language?: string;
}

export const callContext = new AsyncLocalStorage<CallContext>();

/** The member by which a log line can be found by the X-Request-ID of its request. */
export const requestIn = (context = callContext.getStore()): Partial<Pick<CallContext, 'requestId'>> =>
  context === undefined ? {} : { requestId: context.requestId };

/** The clock's offset as calls carry it; the sandbox clock implements it, the production clock ignores it. */
export interface TravellingClock {
  readonly offsetMs: number;
  raiseTo(offsetMs: number): void;
}

/** The message of a call: context beside the request, so that no header block has to be parsed. */
export interface Envelope<Request> {
  readonly context?: CallContext;
  /** Milliseconds of the sandbox clock; absent when it stands at real time. */
  readonly clock?: number;
  /** The caller waits longer than the idle timeout and wants heartbeats (heartbeat.ts). */
  readonly heartbeat?: true;
  /** Names the call in an inquiry (second-try.ts). Absent: it is not idempotent. */
  readonly id?: string;
  /** When the caller stops waiting, by the real time of its host: milliseconds since 1970. */
  readonly deadline: number;
  readonly request: Request;
}

/**
 * Reads the message of a call; undefined for a message that is none. What its request says is not looked at here: caller and
 * service are compiled against one contract, and whoever answers judges what came from a TPP (docs/adr/0053).
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
