import { occurrenceAfter } from '../order/plan-occurrence.js';
import { levToEuro } from '../money/lev-conversion.js';
import type { PaymentOrder } from '../payment/payment-events.js';
import { getService, type PaymentState } from '../payment/payment-state.js';
import { awaitsSignature } from '../payment/payment-transitions.js';
import { computeTotalDebit } from '../payment/pricing/price-order.js';
import { dueTransactions } from '../payment/settlement/due.js';
import type { Profile } from '../profile/profile.js';
import { lacksTaxpayer, switchOverStep } from './convert-payment.js';
import type { SwitchOverFigures } from './report.js';

/** An account at this bank before the switch-over. Amounts are in minor units of its currency. */
export interface AccountBefore {
  readonly iban: string;
  readonly currency: string;
  readonly isEnabled: boolean;
  /** Credits posted, less debits posted. */
  readonly balance: number;
  readonly creditLimit: number;
  /** The sum of the holds. */
  readonly held: number;
}

interface Due {
  readonly paymentId: string;
  readonly number: number;
  readonly dueAt: string;
  readonly order: PaymentOrder;
  readonly isHeld: boolean;
}

/** Lists what has to be settled first, in any currency, including every overdue occurrence of a periodic order. */
const listDue = (state: PaymentState, at: string, profile: Profile): readonly Due[] => {
  const due = dueTransactions(state, profile).flatMap(
    ({ number = 0, dueAt, transactionStatus, order }): Due[] =>
      transactionStatus === 'ACSP' || (transactionStatus === 'ACCP' && dueAt < at)
        ? [{ paymentId: state.paymentId, number, dueAt, order, isHeld: transactionStatus === 'ACSP' }]
        : [],
  );
  const [first] = due;
  if (state.service !== 'periodic-payments' || state.status === 'CANC' || first === undefined) return due;
  const all = [first];
  let last = state.started ?? state.planned;
  while (last !== undefined) {
    last = occurrenceAfter(last, state.schedule, profile);
    if (last === undefined || last.dueAt >= at) break;
    all.push({ ...first, number: last.number, dueAt: last.dueAt, isHeld: false });
  }
  return all;
};

/** True if an order has an occurrence left after those that are due before `at`. */
const continues = (state: PaymentState, at: string, profile: Profile): boolean => {
  if (state.service !== 'periodic-payments' || state.status === 'CANC') return false;
  let next = state.started ?? state.planned;
  while (next !== undefined && (next.dueAt < at || next === state.started))
    next = occurrenceAfter(next, state.schedule, profile);
  return next !== undefined;
};

/** The balances of the bank while due payments are settled one by one. */
class Balances {
  private readonly accounts: Map<string, AccountBefore>;

  constructor(accounts: Iterable<AccountBefore>) {
    this.accounts = new Map([...accounts].map((account) => [account.iban, account]));
  }

  /** Settles a transaction as the ledger does; false if the account does not cover it or cannot be used. */
  settle({ order, isHeld }: Due): boolean {
    const debtor = this.accounts.get(order.debtorIban);
    const creditor = this.accounts.get(order.creditorAccount);
    const { minor, currency } = computeTotalDebit(order);
    if (debtor === undefined) return false;
    const isCredited = creditor === undefined || isHeld || this.canCredit(creditor, order);
    const free = debtor.balance + debtor.creditLimit - debtor.held;
    if (!isHeld && (!debtor.isEnabled || debtor.currency !== currency || minor > free || !isCredited))
      return false;
    const held = isHeld ? debtor.held - minor : debtor.held;
    this.accounts.set(debtor.iban, { ...debtor, balance: debtor.balance - minor, held });
    if (creditor !== undefined)
      this.accounts.set(creditor.iban, { ...creditor, balance: creditor.balance + order.amount.minor });
    return true;
  }

  private canCredit({ iban, isEnabled, currency }: AccountBefore, order: PaymentOrder): boolean {
    return isEnabled && currency === order.amount.currency && iban !== order.debtorIban;
  }

  get inLeva(): readonly number[] {
    return [...this.accounts.values()].flatMap(({ currency, balance }) =>
      currency === 'BGN' ? [balance] : [],
    );
  }
}

/** Sums up balances in leva, in stotinki, as their conversion does. */
export const sumConversion = (balances: readonly number[]): SwitchOverFigures['accounts'] => {
  const bgn = balances.reduce((sum, balance) => sum + balance, 0);
  const eur = balances.reduce((sum, balance) => sum + levToEuro(balance), 0);
  return { converted: balances.length, bgn, eur, roundingDifference: eur - levToEuro(bgn) };
};

const byDueTime = (one: Due, other: Due): number =>
  one.dueAt !== other.dueAt
    ? one.dueAt < other.dueAt
      ? -1
      : 1
    : one.paymentId === other.paymentId
      ? one.number - other.number
      : one.paymentId < other.paymentId
        ? -1
        : 1;

/**
 * Computes the figures of a switch-over at `at` (ISO instant) without changing anything: settles what is due before
 * in order of time, then counts what is converted and rejected. `profile`: the one that holds until then.
 */
export const forecastSwitchOver = (
  payments: readonly PaymentState[],
  accounts: Iterable<AccountBefore>,
  at: string,
  profile: Profile,
): SwitchOverFigures => {
  const balances = new Balances(accounts);
  const due = payments.flatMap((state) => (awaitsSignature(state) ? [] : listDue(state, at, profile)));
  const settledBefore = due.toSorted(byDueTime).filter((one) => balances.settle(one)).length;
  const converted = payments.filter((state) => {
    const step = switchOverStep(state, at);
    return step === 'convert' || (step === 'settle' && continues(state, at, profile));
  });
  const of = (service: ReturnType<typeof getService>): number =>
    converted.filter((state) => getService(state) === service).length;
  return {
    accounts: sumConversion(balances.inLeva),
    payments: {
      settledBefore,
      converted: of('payments'),
      orders: of('periodic-payments'),
      bulks: of('bulk-payments'),
      rejectedUnsigned: payments.filter((state) => switchOverStep(state, at) === 'reject').length,
    },
    attention: converted.filter(lacksTaxpayer).map(({ paymentId }) => ({
      paymentId,
      why: 'budget-without-identifier',
    })),
  };
};
