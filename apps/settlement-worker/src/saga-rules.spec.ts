import { describe, expect, it } from '@jest/globals';
import type { HoldOrder } from '@xs2a/contracts/accounts.contract';
import { roomMadeFor, type Standing, triage } from './saga-rules.js';

const pays = (paymentId: string, debtorIban: string, creditorAccount: string): HoldOrder => ({
  paymentId,
  order: {
    amount: { minor: 1, currency: 'BGN' },
    debtorIban,
    creditorAccount,
    creditorName: 'n',
    remittance: 'r',
  },
});
const none: ReadonlySet<string> = new Set();

describe('what is left to do for a due payment (architecture, Ledger)', () => {
  const bookAt = '2026-01-01T00:05:00.000Z';
  const order = pays('p', 'a', 'b');
  const of = (standing: Omit<Standing, 'paymentId'>) => triage([order], [{ paymentId: 'p', ...standing }]);
  const nothing = { ended: [], started: [], settled: [], open: [] };

  it.each([
    { transactionStatus: 'ACCP', expected: { open: [order] } },
    { transactionStatus: 'ACCP', fundsAvailable: false, expected: { ended: ['p'] } },
    { transactionStatus: 'CANC', expected: { ended: ['p'] } },
    { transactionStatus: 'RJCT', expected: { ended: ['p'] } },
    { transactionStatus: 'ACSP', bookAt, expected: { started: [{ paymentId: 'p', bookAt }] } },
    { transactionStatus: 'ACSC', bookAt, expected: { settled: [{ paymentId: 'p', bookAt }] } },
  ] as const)('$transactionStatus, fundsAvailable $fundsAvailable', ({ expected, ...standing }) => {
    expect(of(standing)).toEqual({ ...nothing, ...expected });
  });

  it('is for nobody but an operator to say when the payment is unknown, unsigned or without a booking time', () => {
    expect(() => triage([order], [])).toThrow('not known as signed');
    expect(() => of({ transactionStatus: 'RCVD' })).toThrow('not known as signed');
    expect(() => of({ transactionStatus: 'ACSP' })).toThrow('without a time of booking');
  });
});

describe('which refused payments of a batch are tried again', () => {
  const short = (...ids: string[]) =>
    ids.map((paymentId) => ({ paymentId, reason: 'insufficient-funds' as const }));

  it('those into whose account an earlier one paid', () => {
    const orders = [pays('1', 'a', 'b'), pays('2', 'b', 'x')];
    expect(roomMadeFor(short('2'), orders, { paid: new Set(['1']), released: none })).toEqual(new Set(['2']));
  });

  it('not those into whose account a later one paid', () => {
    const orders = [pays('1', 'b', 'x'), pays('2', 'a', 'b')];
    expect(roomMadeFor(short('1'), orders, { paid: new Set(['2']), released: none })).toEqual(none);
  });

  it('those whose money a cancelled one had held', () => {
    const orders = [pays('1', 'a', 'x'), pays('2', 'a', 'y')];
    expect(roomMadeFor(short('2'), orders, { paid: none, released: new Set(['1']) })).toEqual(new Set(['2']));
  });

  it('and those that wait for one of them', () => {
    const orders = [pays('1', 'a', 'b'), pays('2', 'b', 'c'), pays('3', 'c', 'd'), pays('4', 'e', 'f')];
    expect(roomMadeFor(short('2', '3', '4'), orders, { paid: new Set(['1']), released: none })).toEqual(
      new Set(['2', '3']),
    );
  });

  it('none when nothing moved, nor one that was refused for another reason', () => {
    const orders = [pays('1', 'a', 'b'), pays('2', 'b', 'x')];
    expect(roomMadeFor(short('1', '2'), orders, { paid: none, released: none })).toEqual(none);
    const unusable = [{ paymentId: '2', reason: 'debtor-account-unusable' as const }];
    expect(roomMadeFor(unusable, orders, { paid: new Set(['1']), released: none })).toEqual(none);
  });
});
