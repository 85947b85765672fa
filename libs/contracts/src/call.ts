import type { Failure } from '@xs2a/domain/failure/failures';

/**
 * States whether a call is idempotent (RFC 9110 9.2.2). A call that receives no reply is sent to another instance
 * only if it is idempotent (docs/adr/0024). A function decides for each request, usually by its idempotency key.
 */
export type Idempotence<Request> = 'idempotent' | 'not-idempotent' | ((request: Request) => boolean);

/** A request to a service over NATS: subject, types and the caller's timeout. */
export interface Call<Request, Answer> {
  readonly subject: string;
  readonly idempotence: Idempotence<Request>;
  /** The timeout in milliseconds, after which the caller treats the service as down. */
  readonly timeoutMs: number;
  /** Declares the types; never set at run time. */
  readonly types?: { readonly request: Request; readonly answer: Answer };
}

/** The request type of a call. */
export type RequestOf<C> = C extends Call<infer Request, infer _Answer> ? Request : never;
/** The response type of a call. */
export type AnswerOf<C> = C extends Call<infer _Request, infer Answer> ? Answer : never;

/**
 * A part of a response that the service has already serialised (UTF-8 JSON). It is sent separately from the rest
 * of the response, and the gateway forwards it unchanged, so that a page of entries is not parsed and serialised
 * again on the way.
 */
export interface Rendered {
  readonly rendered: Uint8Array;
}

/** The reply to a call: the response, or the failures. */
export type Reply<Answer> = { readonly ok: Answer } | { readonly failures: readonly Failure[] };

/** Default timeout of a call in milliseconds. */
export const answerWithinMs = 1800;

export const call = <Request, Answer>(
  subject: string,
  idempotence: Idempotence<Request>,
  timeoutMs = answerWithinMs,
): Call<Request, Answer> => ({ subject, idempotence, timeoutMs });

/** True if this request is idempotent. */
export const isIdempotent = <Request>({ idempotence }: Call<Request, unknown>, request: Request): boolean =>
  typeof idempotence === 'function' ? idempotence(request) : idempotence === 'idempotent';

/**
 * The reasons why a request with an idempotency key fails: the key was used with another body, or the first
 * request with it is still in progress (contract 2).
 */
export const idempotencyFailures = {
  reused: { failure: 'idempotencyKeyReused' },
  'under-way': { failure: 'firstAttemptUnderWay', retryAfter: 1 },
} as const satisfies Record<string, Failure>;

/**
 * The idempotency key of a POST that creates a resource, and the key's scope (contract 2). `hash` is the SHA-256
 * of the body's bytes, in hex.
 */
export interface IdempotencyKey {
  /** The Idempotency-Key, or else the X-Request-ID sent by the client. If absent, a repeat is a separate request. */
  readonly key?: string;
  /** The method, and the path without its version prefix, so that `/v1/x` and `/x` are the same. */
  readonly path: string;
  /** The path that the same name meant before the euro, under which an earlier request may be stored. */
  readonly formerPath?: string;
  readonly hash: string;
}

/**
 * True if the request has an idempotency key. Creating a resource is then idempotent, and a repeat returns the
 * first response.
 */
export const whenKeyed = ({ idempotencyKey }: { readonly idempotencyKey: IdempotencyKey }): boolean =>
  idempotencyKey.key !== undefined;
