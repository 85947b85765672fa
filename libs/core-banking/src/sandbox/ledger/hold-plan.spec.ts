import { describe, expect, it } from '@jest/globals';
import type { HoldOrder } from '@xs2a/contracts/accounts.contract';
import { batchKey, type BookedBefore, type LockedAccount, planHolds } from './hold-plan.js';
import { deriveHoldId } from '../../port/booking-keys.js';
import { deriveBatchEntryId, toClearingAccount } from './ledger-ids.js';
import { deriveDebtorEntryId, toTransactionId } from '@xs2a/runtime/booking-ids';

const account = (name: string, changes: Partial<LockedAccount> = {}): LockedAccount => ({
  id: name,
  iban: `BG00XSBK${name}`,
  currency: 'BGN',
  status: 'enabled',
  available: 10_000,
  creditRoom: 1_000_000,
  instantLimit: null,
  ...changes,
});
const debtor = account('debtor');
const nothingBefore: BookedBefore = { entryOfHold: new Map(), openBatchEntries: new Map() };
let serial = 0;
const order = (
  minor: number,
  creditorAccount = 'BG26RZBB91551023456789',
  debtorIban = debtor.iban,
): HoldOrder => ({
  paymentId: `0193b5a4-7c1e-7d52-9f11-${String((serial += 1)).padStart(12, '0')}`,
  order: {
    amount: { minor, currency: 'BGN' },
    debtorIban,
    creditorAccount,
    creditorName: 'P',
    remittance: 'r',
  },
});
const outcomes = (orders: readonly HoldOrder[], accounts: readonly LockedAccount[] = [debtor]): string[] =>
  planHolds(orders, accounts, nothingBefore, 'XSBK').results.map((result) =>
    result.held ? 'held' : result.reason,
  );

describe('the holds of one batch of orders (contract 8)', () => {
  it('are accepted in order while funds remain, so that a smaller one may succeed after a larger one was refused', () => {
    expect(outcomes([order(6000), order(6000), order(4000), order(1)])).toEqual([
      'held',
      'insufficient-funds',
      'held',
      'insufficient-funds',
    ]);
  });

  it('can use the whole balance but not a stotinka more', () => {
    expect(outcomes([order(10_000)])).toEqual(['held']);
    expect(outcomes([order(10_001)])).toEqual(['insufficient-funds']);
  });

  it('cannot use money that another payment of the batch is going to credit', () => {
    const poor = account('poor', { available: 0 });
    expect(outcomes([order(5000, poor.iban), order(1, undefined, poor.iban)], [debtor, poor])).toEqual([
      'held',
      'insufficient-funds',
    ]);
  });

  it.each([
    ['unknown', []],
    ['blocked', [account('debtor', { status: 'blocked' })]],
    ['closed', [account('debtor', { status: 'closed' })]],
    ['in another currency', [account('debtor', { currency: 'EUR' })]],
  ] as const)('are refused when the debtor account is %s', (_what, accounts) => {
    expect(outcomes([order(1)], accounts)).toEqual(['debtor-account-unusable']);
  });

  it.each([
    ['unknown', []],
    ['blocked', [account('other', { status: 'blocked' })]],
    ['closed', [account('other', { status: 'closed' })]],
    ['in another currency', [account('other', { currency: 'EUR' })]],
    ['full', [account('other', { creditRoom: 0 })]],
  ] as const)('are refused when the creditor account at this bank is %s', (_what, accounts) => {
    expect(outcomes([order(1, 'BG00XSBKother')], [debtor, ...accounts])).toEqual([
      'creditor-account-unusable',
    ]);
  });

  it('are refused if the debtor and creditor accounts are the same', () => {
    expect(outcomes([order(1, debtor.iban)])).toEqual(['creditor-account-unusable']);
  });

  it('credit the account at this bank, or the outgoing clearing account of the currency', () => {
    const other = account('other');
    const { holds } = planHolds([order(1, other.iban), order(1)], [debtor, other], nothingBefore, 'XSBK');
    expect(holds.map(({ creditAccount }) => creditAccount)).toEqual([
      'other',
      toClearingAccount('outgoing', 'BGN'),
    ]);
  });

  it('return the first result if they already exist, and are not planned again', () => {
    const repeated = order(6000);
    const first = planHolds([repeated], [debtor], nothingBefore, 'XSBK');
    const empty = account('debtor', { available: 0 });
    const { paymentId } = repeated;
    const entryOfHold = new Map([[deriveHoldId(paymentId), deriveDebtorEntryId(paymentId)]]);
    const again = planHolds([repeated], [empty], { ...nothingBefore, entryOfHold }, 'XSBK');
    expect(again.results).toEqual(first.results);
    expect(again.holds).toEqual([]);
  });

  it('are placed only once if they occur twice in a batch', () => {
    const repeated = order(6000);
    const { results, holds } = planHolds([repeated, repeated], [debtor], nothingBefore, 'XSBK');
    expect(results[1]).toEqual(results[0]);
    expect(holds).toHaveLength(1);
  });
});

describe('the holds of a bulk payment booked as one batch (contract 9)', () => {
  const batchId = '0193b5a4-7c1e-7d52-9f11-b00000000000';
  const inBatch = (minor: number, debtorIban = debtor.iban): HoldOrder => ({
    ...order(minor, undefined, debtorIban),
    batchId,
  });
  const shownIn = (orders: readonly HoldOrder[], before = nothingBefore): unknown[] =>
    planHolds(orders, [debtor, account('other')], before, 'XSBK').results.map((result) =>
      result.held ? result.transactionId : result.reason,
    );
  const begunBy = ({ paymentId }: HoldOrder): string => toTransactionId(deriveBatchEntryId(paymentId));

  it('share one entry, which the first hold starts, while payments without a batch have separate entries', () => {
    const [tooMuch, first, alone, second] = [inBatch(10_001), inBatch(1), order(1), inBatch(1)] as const;
    expect(shownIn([tooMuch, first, alone, second])).toEqual([
      'insufficient-funds',
      begunBy(first),
      toTransactionId(deriveDebtorEntryId(alone.paymentId)),
      begunBy(first),
    ]);
  });

  it('have one entry per debtor account', () => {
    const [here, there] = [inBatch(1), inBatch(1, account('other').iban)] as const;
    expect(shownIn([here, there])).toEqual([begunBy(here), begunBy(there)]);
  });

  it('join the open entry, and return the first result if they already exist', () => {
    const openEntry = deriveBatchEntryId(inBatch(1).paymentId);
    const [known, next] = [inBatch(1), inBatch(1)] as const;
    const bookedEntry = deriveBatchEntryId(known.paymentId);
    const before = {
      entryOfHold: new Map([[deriveHoldId(known.paymentId), bookedEntry]]),
      openBatchEntries: new Map([[batchKey(debtor.id, batchId), openEntry]]),
    };
    expect(shownIn([known, next], before)).toEqual([bookedEntry, openEntry].map(toTransactionId));
  });
});
