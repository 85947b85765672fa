import { failures, type FailureName } from '@xs2a/domain/failure/failures';

/**
 * The refusals of fields and parameters that are well-formed and still wrong. Whatever is malformed is refused with
 * FORMAT_ERROR before that (contract 3).
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
};

export interface FirstError {
  readonly status: number;
  readonly code: string;
}

/** Returns the error of a field or parameter that is well-formed but wrong; undefined if nothing but its form is checked. */
export const firstErrorOf = (name: string): FirstError | undefined => {
  const failure = refusals[name];
  if (failure === undefined) return undefined;
  const [status, code] = failures[failure];
  return { status, code };
};
