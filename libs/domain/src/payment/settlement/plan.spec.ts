import { describe, expect, it } from '@jest/globals';
import type { DuePayment } from './due.js';
import * as fc from 'fast-check';
import { planSettlement, splitByDebtor, Turns } from './plan.js';

let serial = 0;
const pays = (
  debtorIban: string,
  creditorAccount: string,
  { minor = 1, transactionStatus = 'ACCP' }: Partial<{ minor: number } & DuePayment> = {},
): DuePayment => ({
  paymentId: `p${(serial += 1)}`,
  dueAt: '2026-01-01T00:00:00.000Z',
  transactionStatus,
  order: {
    amount: { minor, currency: 'BGN' },
    debtorIban,
    creditorAccount,
    creditorName: 'n',
    remittance: 'r',
  },
});

describe('due payments that can be settled concurrently', () => {
  const ready = (...payments: readonly DuePayment[]): number[] =>
    planSettlement(payments).ready.map((payment) => payments.indexOf(payment));

  it('include payments that share no account and payments from the same account', () => {
    expect(ready(pays('a', 'x'), pays('b', 'y'), pays('a', 'z'))).toEqual([0, 1, 2]);
  });

  it('exclude a payment whose debtor account is credited by an earlier payment, and all later payments from that account', () => {
    expect(ready(pays('a', 'b'), pays('b', 'x'), pays('b', 'y'), pays('c', 'x'))).toEqual([0, 3]);
  });

  it('exclude a payment whose creditor account is debited by an earlier payment', () => {
    expect(ready(pays('a', 'x'), pays('b', 'a'))).toEqual([0]);
  });

  it('include every booking of an entry, which never delays other payments', () => {
    const entry = pays('a', 'b', { transactionStatus: 'ACSC' });
    expect(ready(pays('b', 'a'), entry, pays('a', 'c'))).toEqual([0, 1]);
  });

  it('are split into lists of about equal length, with the payments from one account in order in the same list', () => {
    const payments = [pays('a', 'x'), pays('b', 'x'), pays('a', 'x'), pays('c', 'x'), pays('d', 'x')];
    const lists = splitByDebtor(payments, 2);
    expect(lists.map((list) => list.length).sort()).toEqual([2, 3]);
    expect(lists.find((list) => list.includes(payments[0] as DuePayment))).toContain(payments[2]);
  });
});

/** A simplified ledger that knows only the available balance of each account. */
class Ledger {
  constructor(private readonly available: Map<string, number>) {}

  hold({ order: { debtorIban, amount } }: DuePayment): boolean {
    const available = this.available.get(debtorIban) ?? 0;
    if (amount.minor > available) return false;
    this.available.set(debtorIban, available - amount.minor);
    return true;
  }

  post({ order: { creditorAccount, amount } }: DuePayment): void {
    this.available.set(creditorAccount, (this.available.get(creditorAccount) ?? 0) + amount.minor);
  }
}

const accounts = ['a', 'b', 'c', 'd', 'elsewhere'] as const;
const world = fc.record({
  balances: fc.array(fc.nat(100), { minLength: 4, maxLength: 4 }),
  payments: fc.array(fc.record({ from: fc.nat(3), to: fc.nat(4), minor: fc.integer({ min: 1, max: 80 }) }), {
    minLength: 1,
    maxLength: 40,
  }),
  pageSize: fc.integer({ min: 1, max: 20 }),
  batchSize: fc.integer({ min: 1, max: 5 }),
  /** The indexes that select which list continues next. */
  schedule: fc.infiniteStream(fc.nat(3)),
});

const oneAfterTheOther = (ledger: Ledger, payments: readonly DuePayment[]): Set<string> => {
  const paid = payments.filter((payment) => {
    const held = ledger.hold(payment);
    if (held) ledger.post(payment);
    return held;
  });
  return new Set(paid.map(({ paymentId }) => paymentId));
};

/** The batches of a list, with a pause wherever another list may continue. */
function* batches(ledger: Ledger, list: readonly DuePayment[], size: number): Generator<void, string[]> {
  const paid: DuePayment[] = [];
  for (let from = 0; from < list.length; from += size) {
    const held = list.slice(from, from + size).filter((payment) => ledger.hold(payment));
    yield;
    for (const payment of held) ledger.post(payment);
    paid.push(...held);
    yield;
  }
  return paid.map(({ paymentId }) => paymentId);
}

describe('payments settled concurrently (architecture, Settlement)', () => {
  it('have the same result as payments settled one by one in order', () => {
    fc.assert(
      fc.property(world, ({ balances, payments, pageSize, batchSize, schedule }) => {
        const due = payments
          .filter(({ from, to }) => from !== to)
          .map(({ from, to, minor }) => pays(accounts[from] ?? '', accounts[to] ?? '', { minor }));
        const opening = (): Ledger =>
          new Ledger(new Map(balances.map((balance, index) => [accounts[index] ?? '', balance])));
        const [expected, ledger, paid] = [oneAfterTheOther(opening(), due), opening(), new Set<string>()];
        let window: readonly DuePayment[] = [];
        for (let from = 0; from < due.length || window.length > 0; from += pageSize) {
          const { ready, waiting } = planSettlement([...window, ...due.slice(from, from + pageSize)]);
          const running = splitByDebtor(ready, 4).map((list) => batches(ledger, list, batchSize));
          while (running.length > 0) {
            const next = Number(schedule.next().value) % running.length;
            const step = running[next]?.next();
            if (step?.done !== true) continue;
            for (const id of step.value) paid.add(id);
            running.splice(next, 1);
          }
          window = waiting;
        }
        expect(paid).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the settlement sequence (contract 9: fair between debtor accounts, oldest first within an account)', () => {
  const due = (
    [from, to]: readonly [string, string],
    dueAt: string,
    more: Pick<DuePayment, 'followedAt' | 'isOccurrence' | 'transactionStatus'> | object = {},
  ): DuePayment => ({ ...pays(from, to), dueAt, ...more });
  /** Creates an occurrence that is followed by another one. */
  const followed = (accounts: readonly [string, string], dueAt: string, followedAt: string): DuePayment =>
    due(accounts, dueAt, { followedAt, isOccurrence: true });
  const last = (accounts: readonly [string, string], dueAt: string): DuePayment =>
    due(accounts, dueAt, { isOccurrence: true });
  const turns = (...payments: readonly DuePayment[]): number[] =>
    new Turns('99').of(payments).map((payment) => payments.indexOf(payment));

  it('lets all payments proceed if no occurrence is followed by another', () => {
    expect(turns(last(['a', 'x'], '1'), due(['b', 'x'], '5'))).toEqual([0, 1]);
  });

  it('does not delay a payment for an overdue occurrence from another account, even one that credits the debtor account of the payment', () => {
    const overdue = [followed(['a', 'x'], '1', '2'), followed(['b', 'c'], '1', '2')];
    expect(turns(...overdue, due(['c', 'x'], '9'), due(['d', 'a'], '9'))).toEqual([0, 1, 2, 3]);
  });

  it('delays a payment until earlier occurrences of all orders from its account have ended', () => {
    const overdue = [followed(['a', 'x'], '1', '4'), followed(['a', 'y'], '2', '3')];
    expect(turns(...overdue, due(['a', 'x'], '3'), due(['a', 'x'], '4'))).toEqual([0, 1, 2]);
  });

  it('delays an occurrence until earlier occurrences that credit its account or debit its creditor account have ended', () => {
    const income = followed(['a', 'b'], '1', '2');
    expect(turns(income, last(['b', 'x'], '9'), last(['c', 'a'], '9'), last(['d', 'x'], '9'))).toEqual([
      0, 3,
    ]);
  });

  it('delays a payment until an earlier occurrence from its own account has ended, even one that itself waits for another account', () => {
    const income = followed(['a', 'b'], '1', '2');
    expect(turns(income, last(['b', 'x'], '5'), due(['b', 'x'], '4'), due(['b', 'x'], '9'))).toEqual([0, 2]);
  });

  it('never delays the booking of an entry', () => {
    const booking = due(['a', 'x'], '9', { transactionStatus: 'ACSC' });
    expect(turns(followed(['a', 'x'], '1', '2'), booking)).toEqual([0, 1]);
  });

  it('considers earlier payments of the same pass', () => {
    const pass = new Turns('99');
    pass.of([followed(['a', 'x'], '1', '4')]);
    const [early, late] = [due(['a', 'x'], '4'), due(['a', 'x'], '5')];
    expect(pass.of([early, late])).toEqual([early]);
  });

  it('starts the next pass when the earliest of the next occurrences is due', () => {
    const pass = new Turns('7');
    pass.of([followed(['a', 'x'], '1', '9')]);
    expect(pass.until).toBe('7');
    pass.of([followed(['a', 'x'], '1', '4'), followed(['b', 'x'], '2', '3')]);
    expect(pass.until).toBe('3');
  });
});
