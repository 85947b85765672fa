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
  readonly signs?: true;
  /** Names the call in an inquiry (second-try.ts). Absent: it is not idempotent, or comes from a caller of the release before. */
  readonly id?: string;
  /** When the caller stops waiting, by the real time of its host: milliseconds since 1970. Absent: a caller of the release before. */
  readonly deadline?: number;
  readonly request: Request;
}
