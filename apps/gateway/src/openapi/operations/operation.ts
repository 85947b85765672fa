import type { FailureName } from '@xs2a/domain/failure/failures';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import type { ExampleAt } from '../examples.js';

/** A request body: its schema name and a valid example. */
interface RequestBody {
  readonly schema: string;
  readonly example: unknown;
}

/**
 * The description of an endpoint and the content of its responses. Its requirements for requests come from
 * `endpoint-rules.ts`.
 */
export interface Operation {
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Schema name of the response; absent: no body. */
  readonly answer?: string;
  readonly example?: object | ExampleAt;
  /** The body, or a function of the product if each product has its own body. */
  readonly request?: RequestBody | ((product: PaymentProduct) => RequestBody);
  readonly query?: readonly string[];
  /** Failures in addition to those that its row in `endpoint-rules.ts` implies. */
  readonly failures: readonly FailureName[];
}

export const bodyFailures = ['bodyNotJson', 'fieldMissing', 'fieldMalformed', 'fieldUnknown'] as const;
export const idempotencyFailures = ['idempotencyKeyReused', 'firstAttemptUnderWay'] as const;
