import { type Decision, happened, refuse } from '../decision.js';
import type { PaymentEvent, PaymentOrder } from '../payment/payment-events.js';
import { listOrders, type PaymentState } from '../payment/payment-state.js';
import { awaitsSignature } from '../payment/payment-transitions.js';
import type { Profile } from '../profile/profile.js';
import { payeeVerdicts } from './payee-verdict.js';
import type { PayeeResult, PayeesVerified, PaymentPayee } from './payees-verified.js';

type Payee = Pick<PaymentPayee, 'iban' | 'name'>;
const toPayee = ({ creditorAccount, creditorName }: PaymentOrder): Payee => ({
  iban: creditorAccount,
  name: creditorName,
});
const isSame = (a: Payee, b: Payee): boolean => a.iban === b.iban && a.name === b.name;

/**
 * The payees that have to be verified, each different one once. None if they have been verified, or if the payment is
 * cross-border.
 */
export const payeesToVerify = (state: PaymentState): readonly Payee[] => {
  if (state.product === 'cross-border-credit-transfer' || state.payeesVerified !== undefined) return [];
  return listPayees(listOrders(state));
};

const listPayees = (orders: readonly PaymentOrder[]): readonly Payee[] => {
  const payees = orders.map(toPayee);
  return [...new Map(payees.map((payee) => [JSON.stringify([payee.iban, payee.name]), payee])).values()];
};

/** As {@link payeesToVerify}; none at a bank that verifies no payees. A payment is signed only after it (E4.2). */
export const openPayees = (
  state: PaymentState,
  { payeeVerification }: Pick<Profile, 'payeeVerification'>,
): readonly Payee[] => (payeeVerification === 'off' ? [] : payeesToVerify(state));

/** Records the verification, once: a later one changes nothing. Fails if the payment no longer awaits a signature. */
export const recordPayees = (state: PaymentState, data: PayeesVerified): Decision<PaymentEvent> => {
  if (!awaitsSignature(state)) return refuse('statusForbidsAuthorisation');
  return payeesToVerify(state).length === 0
    ? happened<PaymentEvent>()
    : happened<PaymentEvent>({ type: 'payee-verified', data });
};

/** The result about the payee of an order; undefined if none was asked for. */
export const findPayee = (
  verified: Pick<PayeesVerified, 'payees'> | undefined,
  order: PaymentOrder,
): PaymentPayee | undefined => verified?.payees.find((payee) => isSame(payee, toPayee(order)));

/** What GET of a payment says about its payee: no names (contract 15). */
export interface PayeeVerificationResult {
  readonly result: PayeeResult;
  /** @format date-time */
  readonly verifiedAt: string;
}
export const payeeResult = (
  verified: PayeesVerified | undefined,
  order: PaymentOrder,
): PayeeVerificationResult | undefined => {
  if (verified === undefined) return undefined;
  const result = verified.isOptedOut ? 'OPTED_OUT' : findPayee(verified, order)?.verdict;
  return result === undefined ? undefined : { result, verifiedAt: verified.answeredAt };
};

/** The number of different payees with each result; results that none has are absent. */
export type PayeeCounts = Readonly<Partial<Record<PayeeResult, number>>>;

/** Counts the payees of these orders; undefined if they have not been verified. */
export const countVerified = (
  verified: PayeesVerified | undefined,
  orders: readonly PaymentOrder[],
): PayeeCounts | undefined => {
  if (verified === undefined) return undefined;
  if (verified.isOptedOut) return { OPTED_OUT: listPayees(orders).length };
  return countResults(verified.payees.map(({ verdict }) => verdict));
};

/** Adds up the counts of several payments; undefined if there are none. */
export const addCounts = (all: readonly (PayeeCounts | undefined)[]): PayeeCounts | undefined => {
  const known = all.filter((counts) => counts !== undefined);
  const results = known.flatMap((counts) =>
    payeeResults.flatMap((result) => Array.from({ length: counts[result] ?? 0 }, () => result)),
  );
  return known.length === 0 ? undefined : countResults(results);
};

const payeeResults = [...payeeVerdicts, 'OPTED_OUT'] as const;
const countResults = (results: readonly PayeeResult[]): PayeeCounts =>
  Object.fromEntries(
    payeeResults.flatMap((result) => {
      const payees = results.filter((one) => one === result).length;
      return payees === 0 ? [] : [[result, payees]];
    }),
  );
