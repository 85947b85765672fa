import type { RejectionReason } from '@xs2a/domain/payment/payment-events';

/** The payment types: single payment, periodic order, bulk payment. */
export type PaymentKind = 'payment' | 'order' | 'bulk';

/** The kind of resource that a PSU is asked to approve. */
export type AuthorisationKind = PaymentKind | 'basket' | 'consent' | 'renewal' | 'funds';

/** What was approved or rejected, as named on the last page; `access` covers consents and funds confirmation. */
export type Subject = PaymentKind | 'basket' | 'access';

/** Why a link has nothing left to authorise. `signed`: this signature has been given, but others are still missing. */
export type ClosedReason = 'unknown' | 'used' | 'expired' | 'signed' | 'grouped';

/** Why an authorisation failed, as shown to the PSU. The two reasons that involve another signer share one text. */
export type FailureReason = RejectionReason | 'terminated-by-tpp' | 'no-longer-possible';

/** Why the PSU could not act on a payment that is still in progress. */
export type UnchangedReason = 'signed-before' | 'signed-by-another' | 'taken-by-another';
