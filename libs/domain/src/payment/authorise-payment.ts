import { type DebtorFacts, debtorAccountFailure } from '../account/debtor-account.js';
import { type Decision, happened, refuse } from '../decision.js';
import { firstOccurrence } from '../order/plan-occurrence.js';
import type { Profile } from '../profile/profile.js';
import { openPayees } from '../payee/payment-payees.js';
import { MultilevelAuthorisation, type Signing } from '../sca/multilevel-authorisation.js';
import { planExecution } from './execution-day.js';
import { answerWithinMs, isInstant, planInstant } from './instant/instant-payments.js';
import type { PaymentEvent, RejectionReason } from './payment-events.js';
import { type BulkPayment, listOrders, type PaymentState, type SinglePayment } from './payment-state.js';
import { awaitsSignature, isGroupedPayment } from './payment-transitions.js';

type PaymentDecision = Decision<PaymentEvent>;

/** The authorisation of single payments, periodic orders and bulk payments (contract 8, 10). */
const authorisation = new MultilevelAuthorisation<PaymentState, PaymentEvent>({
  awaitsSignature,
  isGrouped: isGroupedPayment,
  started: (data) => ({ type: 'authorisation-started', data }),
  rejected: (data) => ({ type: 'rejected', data }),
});

export const startPaymentAuthorisation = authorisation.start;
export const rejectPayment = authorisation.reject;
export const expirePayment = authorisation.expire;

/**
 * Ends the time to sign now (contract 13). Changes nothing in a basket, which expires instead. Fails with
 * statusForbidsExpiry if the payment does not await a signature.
 */
export const expirePaymentNow = (state: PaymentState): PaymentDecision =>
  awaitsSignature(state) ? expirePayment(state, { now: state.expiresAt }) : refuse('statusForbidsExpiry');

/**
 * The PSU is identified on the SCA page (contract 8: RCVD → ACCP; with several signers, the status does not change
 * until they sign). Also rejects the payment if the PSU does not own the account, or if the account cannot be
 * debited. Otherwise as {@link MultilevelAuthorisation.identify}.
 */
export const acceptPayment = (
  state: PaymentState,
  { debtor, ...signing }: Signing & { readonly debtor: DebtorFacts },
  profile: Profile,
): PaymentDecision =>
  authorisation.identify(state, signing, {
    obstacle: () => debtorFailure(state, debtor, profile),
    identified: (data) => ({
      type: state.signaturesRequired > 1 ? 'signer-identified' : 'accepted',
      data,
    }),
  });

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
 * The PSU signs once (contract 8: ACCP and due; contract 10: PATC while other signatures are missing). Rejects and
 * fails as {@link MultilevelAuthorisation.sign} does, and fails with statusForbidsAuthorisation while the payees have
 * to be verified (E4.2).
 */
export const signPayment = (state: PaymentState, signing: Signing, profile: Profile): PaymentDecision =>
  authorisation.sign(state, signing, (isLast) => {
    if (openPayees(state, profile).length > 0) return refuse('statusForbidsAuthorisation');
    const { authorisationId, psuId, now, evidence, clockOffsetMs } = signing;
    const signature = { authorisationId, psuId, signedAt: now, evidence };
    return isLast
      ? happened<PaymentEvent>(...signedEvents(state, signature, profile, clockOffsetMs))
      : happened<PaymentEvent>({ type: 'partly-signed', data: signature });
  });

/** A signature as an event records it. */
export type GivenSignature = Extract<PaymentEvent, { type: 'partly-signed' }>['data'];

/**
 * The events of the last signature and of the resulting plan: the execution day of a single or bulk payment, or
 * the first occurrence of an order. `clockOffsetMs` is how far the bank's clock is ahead of real time.
 */
export function signedEvents(
  state: PaymentState,
  signature: GivenSignature,
  profile: Profile,
  clockOffsetMs = 0,
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
  if (isInstant(state)) return [signedInstant(state, signature, profile, clockOffsetMs)];
  const execution = planExecution(state.requestedExecutionDate, signedAt, profile);
  const order = state.service === 'bulk-payments' ? undefined : state.order;
  return [{ type: 'signed', data: { ...signature, ...execution, order } }];
}

/**
 * An instant payment is received now, or at the start of a later day (E3.6). That is when its deadline begins; that of an
 * entry of a bulk payment begins when it is taken up.
 */
const signedInstant = (
  state: SinglePayment | BulkPayment,
  signature: GivenSignature,
  profile: Profile,
  clockOffsetMs: number,
): PaymentEvent => {
  const { signedAt } = signature;
  const execution = planInstant(state.requestedExecutionDate, signedAt, profile);
  const order = state.service === undefined ? state.order : undefined;
  if (order === undefined) return { type: 'signed', data: { ...signature, ...execution } };
  const answerBy = new Date(Date.parse(execution.dueAt) - clockOffsetMs + answerWithinMs).toISOString();
  return { type: 'signed', data: { ...signature, ...execution, answerBy, order } };
};
