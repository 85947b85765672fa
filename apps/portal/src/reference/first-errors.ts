import { failures, type FailureName } from '@xs2a/domain/failure/failures';
import type { Operation } from './operations.js';

/**
 * The refusal of each field or parameter whose value can be well-formed and still wrong, by name or by operation and
 * name. A malformed value is refused earlier, with FORMAT_ERROR (contract 3).
 */
const refusals: Readonly<Record<string, FailureName>> = {
  'payment-product': 'productUnknown',
  paymentId: 'resourceUnknown',
  basketId: 'resourceUnknown',
  authorisationId: 'resourceUnknown',
  'account-id': 'resourceUnknown',
  transactionId: 'resourceUnknown',
  consentId: 'consentUnknown',
  'Consent-ID': 'consentHeaderDiffers',
  'X-API-Version': 'versionNotPublished',
  'Idempotency-Key': 'idempotencyKeyReused',
  'PSU-Corporate-ID': 'corporateIdUnknown',
  dateTo: 'periodInvalid',
  'instructedAmount.currency': 'currencyNotSupported',
  'confirmFunds instructedAmount.currency': 'fieldMalformed',
  'confirmFunds account.currency': 'fieldMalformed',
};

export interface FirstError {
  readonly status: number;
  readonly code: string;
}

/**
 * Returns the error with which an operation refuses a well-formed but wrong value of a field or parameter; undefined if
 * only the form of the value is checked, or if the operation never returns the status of the error.
 */
export const firstErrorOf = (
  name: string,
  { operationId, responses }: Pick<Operation, 'operationId' | 'responses'>,
): FirstError | undefined => {
  const failure = refusals[`${operationId} ${name}`] ?? refusals[name];
  if (failure === undefined) return undefined;
  const [status, code] = failures[failure];
  return status in responses ? { status, code } : undefined;
};
