import type { FailureName } from '@xs2a/domain/failure/failures';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import type { ExampleAt } from '../examples.js';

/** A request body: its schema by name, and one that is right. */
interface RequestBody {
  readonly schema: string;
  readonly example: unknown;
}

/** The description of an endpoint and the content of its answers. What it asks of a request comes from `endpoint-rules.ts`. */
export interface Operation {
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Name of the schema of the answer; absent: no body. */
  readonly answer?: string;
  readonly example?: object | ExampleAt;
  /** The body, or a function of the product where every product has a body of its own. */
  readonly request?: RequestBody | ((product: PaymentProduct) => RequestBody);
  readonly query?: readonly string[];
  /** Failures in addition to those that its row in `endpoint-rules.ts` implies. */
  readonly failures: readonly FailureName[];
}

export const bodyFailures = ['bodyNotJson', 'fieldMissing', 'fieldMalformed', 'fieldUnknown'] as const;
export const idempotencyFailures = ['idempotencyKeyReused', 'firstAttemptUnderWay'] as const;
