import type { FailureName } from '@xs2a/domain/failure/failures';
import { call } from './call.js';

/** The headers and the body that were sent in one direction, without secrets. */
export interface SentMessage {
  /** By name in lower case. A value that is not shown is `(hidden)`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body; absent if there was none, or if the call was refused before it was read. */
  readonly body?: string;
  /** True if the body was longer, and this is its beginning. */
  readonly bodyCut?: true;
}

/** What was sent in a call. */
export interface CallContent {
  readonly request: SentMessage & { readonly method: string; readonly url: string };
  readonly response: SentMessage;
}

/**
 * One answered call of the API. Apart from `content`, it contains nothing that the client wrote except its X-Request-ID: no
 * body, no header, no path of the URL (docs/adr/0077).
 */
export interface CallRow {
  /** When the request arrived, in real time, which the sandbox clock does not move. @format date-time */
  readonly at: string;
  /** The X-Request-ID of the request. @format uuid */
  readonly requestId: string;
  /** The trace id of its W3C trace context: 32 hexadecimal digits. */
  readonly traceId?: string;
  /** The TPP named in the access token, even if the call was refused. */
  readonly tppId?: string;
  /** The name of the endpoint, such as `initiatePayment`. */
  readonly operation: string;
  /** The HTTP status; 499 if the client disconnected before it had the whole response. */
  readonly status: number;
  /** The error code of a refusal, such as `FORMAT_ERROR`. */
  readonly code?: string;
  /** The name of its first failure, such as `fieldMissing`, which identifies the rule. Older gateways do not send it. */
  readonly failure?: FailureName;
  /**
   * Where the first violation is: a field, parameter or header of the contract, such as `instructedAmount.amount`. A name
   * that is not part of the contract is the client's text and appears as `?`.
   */
  readonly path?: string;
  /** The service that did not answer. */
  readonly dependency?: string;
  /** The duration until the last byte of the response was sent, in milliseconds. */
  readonly ms: number;
  /** The bytes of the response's body. */
  readonly bytes: number;
  /** The payment, consent or basket of the call; for account data, the consent of the token. @format uuid */
  readonly resourceId?: string;
  /** What was sent; only in a sandbox, and not for every call. */
  readonly content?: CallContent;
}

/**
 * Why calls have no row: `sampled`: a successful call that was not chosen; `limit`: a refused call beyond those kept per TPP
 * and minute; `buffer`: the console did not answer for so long that the gateway's buffer was full; `unstored`: the console
 * answered their batch with an error, so that it would have kept all later ones waiting.
 */
const leftOutReasons = ['sampled', 'limit', 'buffer', 'unstored'] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

/** A number of calls without rows. */
export interface CallsLeftOut {
  /** Empty for calls without a valid token. */
  readonly tppId: string;
  readonly reason: LeftOutReason;
  readonly calls: number;
  /** @format date-time */
  readonly since: string;
  /** @format date-time */
  readonly until: string;
}

/** The client certificate that a TPP presented in the latest of its calls. */
export interface SeenCertificate {
  readonly tppId: string;
  /** After this moment, the gateway refuses the certificate. @format date-time */
  readonly endsAt: string;
  /** When that call was answered, in real time. @format date-time */
  readonly seenAt: string;
}

/** The calls that a gateway answered within a few seconds. A repeated batch is stored only once. */
export interface CallRowBatch {
  /** @format uuid */
  readonly batchId: string;
  readonly rows: readonly CallRow[];
  readonly leftOut: readonly CallsLeftOut[];
  /** One per TPP, of all its calls, also those without a row. Older gateways do not send it. */
  readonly certificates?: readonly SeenCertificate[];
}
export const recordCallRows = call<CallRowBatch, Record<string, never>>(
  'svc.console.record-calls',
  'idempotent',
  5000,
);

/** A page of a TPP's own calls of the last 24 hours of real time, newest first (contract 13); only in the sandbox. */
export interface ListRequests {
  readonly tppId: string;
  /** A page has fewer calls if their headers and bodies are larger than 1 MB. */
  readonly limit: number;
  /** Whether each call has the rule that it violated, and what was sent. */
  readonly withContent?: boolean | undefined;
  /** `next` of the page before. */
  readonly before?: string;
}
/** A call as its TPP sees it. */
export interface OwnRequest extends Pick<CallRow, 'operation' | 'status' | 'code' | 'path' | 'requestId'> {
  /** When it arrived, in real time. @format date-time */
  readonly time: string;
}
/** The newest calls of a TPP with one X-Request-ID, of the last 24 hours; only in the sandbox. */
export interface ReadRequest {
  readonly tppId: string;
  /** @format uuid */
  readonly requestId: string;
}
/** A call with the rule that it violated, and what was sent, as far as it was kept. */
export interface RequestDetails extends OwnRequest, Pick<CallRow, 'failure'>, Partial<CallContent> {}
export const listRequests = call<
  ListRequests,
  { readonly requests: readonly RequestDetails[]; readonly next?: string }
>(
  'svc.console.sandbox.requests',
  'idempotent',
  // The gateway has waited 200 ms before, and answers within two seconds.
  1500,
);
export const readRequest = call<ReadRequest, { readonly requests: readonly RequestDetails[] }>(
  'svc.console.sandbox.request',
  'idempotent',
  1500,
);

/**
 * What an operator did with the `xs2a` command, which appears on the console's page Actions like an action of the page. The
 * console stores a tag of the PSU, not the PSU-ID.
 */
export interface RecordedAction {
  /** An action with an id that is already recorded is ignored. @format uuid */
  readonly actionId: string;
  /** One of the console's actions, such as `lift-sca-lock`. */
  readonly act: string;
  /** The TPP, consent or other thing that the action changed; absent if it is a PSU. */
  readonly target?: string;
  readonly psuId?: string;
  /** The name that the operator gave, or that of the operating system user. */
  readonly operator: string;
  readonly reason: string;
  /** False if the action changed nothing. */
  readonly isDone: boolean;
  /** One sentence. */
  readonly outcome: string;
}
/** For the bank's operator. No other NATS user may make this call. */
export const recordAction = call<RecordedAction, Record<string, never>>(
  'svc.console.operator.record',
  'idempotent',
);
