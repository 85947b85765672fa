import type { Failure } from '@xs2a/domain/failure/failures';

/**
 * Is a call that is made twice the same as one that is made once (RFC 9110 9.2.2)? A call without an answer is sent to another
 * instance only then (docs/adr/0024). A function decides by the request, mostly by its idempotency key.
 */
export type Idempotence<Request> = 'idempotent' | 'not-idempotent' | ((request: Request) => boolean);

/** A request that one service answers to another over NATS: subject, types, and how long the caller waits. */
export interface Call<Request, Answer> {
  readonly subject: string;
  readonly idempotence: Idempotence<Request>;
  /** Milliseconds the caller waits before it treats the service as down. */
  readonly timeoutMs: number;
  /** Carries the types; never set. */
  readonly types?: { readonly request: Request; readonly answer: Answer };
}

/** The request type of a call. */
export type RequestOf<C> = C extends Call<infer Request, infer _Answer> ? Request : never;
/** The answer type of a call. */
export type AnswerOf<C> = C extends Call<infer _Request, infer Answer> ? Answer : never;

/**
 * An answer's part that is written in its final form (UTF-8 JSON) by the service that has it. It travels beside the rest
 * of the answer, and the gateway sends it on as it is: a page of entries is neither parsed nor written again on the way.
 */
export interface Rendered {
  readonly rendered: Uint8Array;
}

/** The reply to a call: the answer, or the failures. */
export type Reply<Answer> = { readonly ok: Answer } | { readonly failures: readonly Failure[] };

/** Milliseconds that a caller waits unless its call says otherwise. */
export const answerWithinMs = 1800;

export const call = <Request, Answer>(
  subject: string,
  idempotence: Idempotence<Request>,
  timeoutMs = answerWithinMs,
): Call<Request, Answer> => ({ subject, idempotence, timeoutMs });

/** True if this request of a call may be made twice. */
export const isIdempotent = <Request>({ idempotence }: Call<Request, unknown>, request: Request): boolean =>
  typeof idempotence === 'function' ? idempotence(request) : idempotence === 'idempotent';

/** Why a request with an idempotency key gets no answer: the key had another body, or the first request with it is still under way (contract 2). */
export const idempotencyFailures = {
  reused: { failure: 'idempotencyKeyReused' },
  'under-way': { failure: 'firstAttemptUnderWay', retryAfter: 1 },
} as const satisfies Record<string, Failure>;

/**
 * The idempotency key of a creating POST, and what it counts for (contract 2).
 * `hash` is the SHA-256 of the body's bytes, hex.
 */
export interface IdempotencyKey {
  /** Idempotency-Key, or the X-Request-ID that the client sent; absent: a repeat is a request of its own. */
  readonly key?: string;
  /** Method and path without version prefix: `/v1/x` and `/x` are one. */
  readonly path: string;
  readonly hash: string;
}

/** A creation with an idempotency key may be sent twice: a repeat gets the first answer. */
export const whenKeyed = ({ idempotencyKey }: { readonly idempotencyKey: IdempotencyKey }): boolean =>
  idempotencyKey.key !== undefined;
