import type { Failure } from '../../failure/failures.js';
import type { JsonObject } from '../../form/form-checks.js';
import type { Eea } from '../../profile/profile-tables.js';
import type { PaymentProduct } from '../payment-products.js';

/**
 * The payment to which a field belongs. `ownBankCode`: the four letters that identify this bank in IBANs and BICs.
 */
export interface Submission {
  readonly product: PaymentProduct;
  readonly body: JsonObject;
  readonly ownBankCode: string;
  readonly eea: Eea;
}

/** A check of a value that is present. Returns the violations with their paths. */
export type FieldCheck = (value: unknown, path: string, submission: Submission) => Failure[];
