import { type DebtorFacts, debtorAccountFailure } from '../account/debtor-account.js';
import { type Decision, happened, refuse } from '../decision.js';
import type { Profile } from '../profile/profile.js';
import {
  type Authorisation,
  authorisationIn,
  isOpenAuthorisation,
  isTakenByAnother,
  type NewAuthorisation,
  signaturesMissing,
  listSigners,
  startFailure,
} from '../sca/authorisations.js';
import { hasPassed } from '../time/bank-calendar.js';
import { firstOccurrence } from '../order/plan-occurrence.js';
import { planExecution } from './execution-day.js';
import type { PaymentEvent, RejectionReason } from './payment-events.js';
import { listOrders, type PaymentState } from './payment-state.js';
import { awaitsSignature, isGroupedPayment } from './payment-transitions.js';

type PaymentDecision = Decision<PaymentEvent>;

/** The PSU who uses an authorisation, and the time of use. */
export interface Signing {
  readonly authorisationId: string;
  readonly psuId: string;
  readonly now: string;
}

const rejected = (reason: RejectionReason, authorisationId?: string, psuId?: string): PaymentEvent => ({
  type: 'rejected',
  data: {
    authorisationId,
    reason,
    psuId,
  },
});

const isForSeveral = ({ signaturesRequired }: PaymentState): boolean => signaturesRequired > 1;

/** Returns the open authorisation that a PSU wants to use, or the reason it cannot be used. */
const openAuthorisation = (
  state: PaymentState,
  authorisationId: string,
):
  | Authorisation
  | { readonly refused: 'resourceUnknown' | 'statusForbidsAuthorisation' | 'resourceBlocked' } => {
  const authorisation = authorisationIn(state, authorisationId);
  if (authorisation === undefined) return { refused: 'resourceUnknown' };
  if (isGroupedPayment(state)) return { refused: 'resourceBlocked' };
  return awaitsSignature(state) && isOpenAuthorisation(authorisation)
    ? authorisation
    : { refused: 'statusForbidsAuthorisation' };
};

/**
 * True once a PSU has been accepted for any authorisation; from then on, the link alone does not allow any
 * decision.
 */
export const isTaken = ({ authorisations }: Pick<PaymentState, 'authorisations'>): boolean =>
  authorisations.some(({ psuId }) => psuId !== undefined);

/**
 * The TPP starts an authorisation for another signer, or restarts one (contract 10). Fails with
 * statusForbidsAuthorisation once the payment is signed, final or expired, with resourceBlocked if it is in a
 * basket, otherwise as described for {@link startFailure}.
 */
export function startPaymentAuthorisation(
  state: PaymentState,
  { now, ...started }: NewAuthorisation & { readonly now: string },
): PaymentDecision {
  if (isGroupedPayment(state)) return refuse('resourceBlocked');
  if (!awaitsSignature(state) || hasPassed(state.expiresAt, now)) return refuse('statusForbidsAuthorisation');
  const failure = startFailure(state, started);
  if (failure !== undefined) return { refused: failure };
  const psuId = started.psuId ?? state.namedPsuId;
  return happened<PaymentEvent>({
    type: 'authorisation-started',
    data: { ...started, psuId },
  });
}

/**
 * The PSU is identified on the SCA page (contract 8: RCVD → ACCP; with several signers, the status does not change
 * until they sign). Rejects the payment if it has expired, if the PSU is neither the named PSU nor the owner, or
 * if the account cannot be debited. Does nothing if the PSU is already identified. Fails with resourceUnknown, or
 * with statusForbidsAuthorisation, for example if the PSU has already signed this payment.
 */
export function acceptPayment(
  state: PaymentState,
  { authorisationId, psuId, debtor, now }: Signing & { readonly debtor: DebtorFacts },
  profile: Profile,
): PaymentDecision {
  const authorisation = openAuthorisation(state, authorisationId);
  if ('refused' in authorisation) return refuse(authorisation.refused);
  const no = (reason: RejectionReason): PaymentDecision => happened(rejected(reason, authorisationId, psuId));
  if (hasPassed(state.expiresAt, now)) return no('not-authorised-in-time');
  if (isTakenByAnother(state, authorisation, psuId)) return refuse('statusForbidsAuthorisation');
  if (authorisation.psuId === psuId) return happened();
  if (authorisation.namedPsuId !== undefined && authorisation.namedPsuId !== psuId)
    return no('not-the-named-psu');
  if (listSigners(state).includes(psuId)) return refuse('statusForbidsAuthorisation');
  const failure = debtorFailure(state, debtor, profile);
  if (failure !== undefined) return no(failure);
  return happened<PaymentEvent>({
    type: isForSeveral(state) ? 'signer-identified' : 'accepted',
    data: { authorisationId, psuId },
  });
}

/** Returns why this PSU cannot sign a payment from the debtor account. */
export function debtorFailure(
  state: PaymentState,
  { account, ownedByPsu }: DebtorFacts,
  profile: Profile,
): RejectionReason | undefined {
  if (!ownedByPsu) return 'not-the-account-owner';
  // The bank may now require more signatures than when the payment was initiated.
  const isUsable =
    listOrders(state).every((order) => debtorAccountFailure(account, order, profile) === undefined) &&
    (account?.signaturesRequired ?? 1) <= state.signaturesRequired;
  return isUsable ? undefined : 'debtor-account-unusable';
}

/**
 * The PSU signs once (contract 8: ACCP and due; contract 10: PATC while other signatures are missing). Rejects an
 * expired payment. Fails with resourceUnknown, or with statusForbidsAuthorisation if the PSU is not identified or
 * has already signed.
 */
export function signPayment(
  state: PaymentState,
  { authorisationId, psuId, now }: Signing,
  profile: Profile,
): PaymentDecision {
  const authorisation = openAuthorisation(state, authorisationId);
  if ('refused' in authorisation) return refuse(authorisation.refused);
  if (hasPassed(state.expiresAt, now))
    return happened(rejected('not-authorised-in-time', authorisationId, psuId));
  if (authorisation.psuId !== psuId || listSigners(state).includes(psuId))
    return refuse('statusForbidsAuthorisation');
  const signature = { authorisationId, psuId, signedAt: now };
  if (signaturesMissing(state) > 1) return happened<PaymentEvent>({ type: 'partly-signed', data: signature });
  return happened<PaymentEvent>(...signedEvents(state, signature, profile));
}

/**
 * The events of the last signature and of the resulting plan: the execution day of a single or bulk payment, or
 * the first occurrence of an order.
 */
export function signedEvents(
  state: PaymentState,
  signature: { readonly authorisationId: string; readonly psuId: string; readonly signedAt: string },
  profile: Profile,
): PaymentEvent[] {
  const { signedAt } = signature;
  if (state.service === 'periodic-payments') {
    const planned = firstOccurrence(state.schedule, signedAt, profile);
    const { executionDate, dueAt } = planned;
    return [
      { type: 'signed', data: { ...signature, executionDate, dueAt, order: state.order } },
      { type: 'transaction-planned', data: planned },
    ];
  }
  const execution = planExecution(state.requestedExecutionDate, signedAt, profile);
  const order = state.service === 'bulk-payments' ? {} : { order: state.order };
  return [{ type: 'signed', data: { ...signature, ...execution, ...order } }];
}

/**
 * The PSU refuses or cancels, or SCA fails (contract 8: RJCT; contract 10: one refusal rejects the payment). Fails
 * with resourceUnknown. Fails with statusForbidsAuthorisation in three cases: this authorisation or the payment
 * has been decided; another PSU was accepted for the authorisation; or the PSU did not sign in, although some PSU
 * has already been accepted.
 */
export function rejectPayment(
  state: PaymentState,
  {
    authorisationId,
    reason,
    psuId,
  }: { readonly authorisationId: string; readonly reason: RejectionReason; readonly psuId?: string },
): PaymentDecision {
  const authorisation = openAuthorisation(state, authorisationId);
  if ('refused' in authorisation) return refuse(authorisation.refused);
  if (psuId === undefined ? isTaken(state) : isTakenByAnother(state, authorisation, psuId))
    return refuse('statusForbidsAuthorisation');
  return happened(rejected(reason, authorisationId, psuId));
}

/**
 * Rejects a payment that was not fully signed in time; otherwise changes nothing. A payment in a basket expires
 * with the basket. Never fails.
 */
export const expirePayment = (state: PaymentState, { now }: { readonly now: string }): PaymentDecision => {
  if (!awaitsSignature(state) || isGroupedPayment(state) || !hasPassed(state.expiresAt, now))
    return happened();
  const open = state.authorisations.filter(isOpenAuthorisation);
  return happened(
    rejected('not-authorised-in-time', open.length === 1 ? open[0]?.authorisationId : undefined),
  );
};
