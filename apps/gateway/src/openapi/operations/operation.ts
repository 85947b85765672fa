import type { FailureName } from '@xs2a/domain/failure/failures';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import type { ExampleAt } from '../examples.js';
import type { Tag } from './tags.js';

/** The schema name of a request body, and a valid example. */
interface RequestBody {
  readonly schema: string;
  readonly example: unknown;
}

/**
 * The description of an endpoint and the content of its responses. The requirements for requests are taken from
 * `endpoint-rules.ts`.
 */
export interface Operation {
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** The schema name of the response; absent if the response has no body. */
  readonly answer?: string;
  readonly example?: object | ExampleAt;
  /** The request body, or a function from the product to its body if each product has its own. */
  readonly request?: RequestBody | ((product: PaymentProduct) => RequestBody);
  readonly query?: readonly string[];
  /** The failures that are not already implied by the endpoint's row in `endpoint-rules.ts`. */
  readonly failures: readonly FailureName[];
}

export const bodyFailures = ['bodyNotJson', 'fieldMissing', 'fieldMalformed', 'fieldUnknown'] as const;
export const idempotencyFailures = ['idempotencyKeyReused', 'firstAttemptUnderWay'] as const;
