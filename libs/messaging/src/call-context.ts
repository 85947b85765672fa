import { AsyncLocalStorage } from 'node:async_hooks';

/** What travels with every call from the door to the last service. */
export interface CallContext {
  /** The TPP's X-Request-ID, or one made at the door. */
  readonly requestId: string;
  /** Of the other requests that share a message. */
  readonly sharedWith?: readonly string[];
  /** W3C trace context. */
  readonly traceparent?: string;
  /** Who caused it: a TPP's client id, a PSU's id, or a service. */
  readonly actor?: string;
  /** BCP 47: what the PSU, or the TPP on its behalf, asked to be answered in. */
  readonly language?: string;
}

export const callContext = new AsyncLocalStorage<CallContext>();

/** How a log line names the requests that it is about, so that each can be found by its X-Request-ID. */
export const requestsIn = (
  context = callContext.getStore(),
): Partial<Pick<CallContext, 'requestId' | 'sharedWith'>> =>
  context === undefined
    ? {}
    : {
        requestId: context.requestId,
        ...(context.sharedWith === undefined ? {} : { sharedWith: context.sharedWith }),
      };

/** The clock's offset as calls carry it; the sandbox clock implements it, the production clock ignores it. */
export interface TravellingClock {
  readonly offsetMs: number;
  raiseTo(offsetMs: number): void;
}

/** What goes over NATS: context beside the request, so that no header block has to be parsed. */
export interface Envelope<Request> {
  readonly context?: CallContext;
  /** Milliseconds of the sandbox clock; absent when it stands at real time. */
  readonly clock?: number;
  /** The caller waits long, but not in silence: it wants a sign now and then that its call is worked on. */
  readonly signs?: true;
  readonly request: Request;
}
