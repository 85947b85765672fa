import type { PaymentAuthorisation } from '@xs2a/contracts/payments.contract';
import type { ReasonCode } from '@xs2a/domain/payment/instant/instant-answer';
import { isInstant, planInstant } from '@xs2a/domain/payment/instant/instant-payments';
import type { Profile } from '@xs2a/domain/profile/profile';
import { toBankDate } from '@xs2a/domain/time/bank-calendar';

/** What became of an instant payment after the last signature (contract 14, E3). */
export type InstantEnd =
  | { readonly kind: 'under-way' }
  | { readonly kind: 'settled' }
  | { readonly kind: 'rejected'; readonly reasonCode: ReasonCode };

type SignedPayment = Pick<
  PaymentAuthorisation,
  'product' | 'service' | 'transactionStatus' | 'reasonCode' | 'signaturesMissing' | 'requestedExecutionDate'
>;

/**
 * Returns what became of an instant payment; undefined for any other payment, for one that is not signed by all, and
 * for one that is executed on a later day. `now` is an ISO instant.
 */
export const findInstantEnd = (
  payment: SignedPayment,
  now: string,
  profile: Profile,
): InstantEnd | undefined => {
  const { transactionStatus: status, reasonCode, signaturesMissing, requestedExecutionDate } = payment;
  if (!isInstant(payment) || payment.service !== 'payments' || signaturesMissing > 0) return undefined;
  if (status === 'ACSC') return { kind: 'settled' };
  if (status === 'RJCT') return reasonCode === undefined ? undefined : { kind: 'rejected', reasonCode };
  if (status === 'ACSP') return { kind: 'under-way' };
  const { executionDate } = planInstant(requestedExecutionDate, now, profile);
  const isDue = executionDate <= toBankDate(now, profile.timeZone);
  return status === 'ACCP' && isDue ? { kind: 'under-way' } : undefined;
};

const renewEverySeconds = 2;
const renewForSeconds = 20;

/**
 * Returns the seconds after which the page asks again how an instant payment ended; undefined if that is known, or
 * if the signature is too old for an answer to be expected soon. `signedAt` is an ISO instant.
 */
export const renewAfter = (
  end: InstantEnd | undefined,
  signedAt: string | undefined,
  nowMs: number,
): number | undefined => {
  if (end?.kind !== 'under-way' || signedAt === undefined) return undefined;
  const isRecent = nowMs - Date.parse(signedAt) < renewForSeconds * 1000;
  return isRecent ? renewEverySeconds : undefined;
};
