import type { HoldOrder, HoldResult } from '@xs2a/contracts/accounts.contract';
import { readAccount, readBalances } from './account-reading.js';
import type { Trial } from './sample.js';

/** A new order from the sample account. */
export const makeOrder = (
  { sample, newPaymentId }: Trial,
  minor: number,
  more: Partial<HoldOrder['order']> = {},
): HoldOrder => ({
  paymentId: newPaymentId(),
  order: {
    amount: { minor, currency: sample.currency },
    debtorIban: sample.iban,
    creditorAccount: sample.elsewhere,
    creditorName: 'Conformance check',
    remittance: 'conformance check',
    ...more,
  },
});
/** Holds the orders. */
export const place = async (
  { bank, call }: Trial,
  ...orders: readonly HoldOrder[]
): Promise<readonly HoldResult[]> => bank.booking.placeHolds(orders, call());
/** For each result `held`, or why it is not. */
export const heldOrWhy = (results: readonly HoldResult[]): unknown[] =>
  results.map((result) => (result.held ? 'held' : result.reason));

/** Returns the amounts by which the two balances of the sample account changed while `work` ran. */
export const movedBy = async (
  trial: Trial,
  work: () => Promise<unknown>,
): Promise<{ readonly interimAvailable: number; readonly expected: number }> => {
  const { resourceId } = await readAccount(trial);
  const before = await readBalances(trial, resourceId);
  await work();
  const after = await readBalances(trial, resourceId);
  return {
    interimAvailable: after.interimAvailable - before.interimAvailable,
    expected: after.expected - before.expected,
  };
};
