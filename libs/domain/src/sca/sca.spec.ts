import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { addSeconds } from '../time/bank-calendar.js';
import { otpBinding, type SignedContent } from './otp-binding.js';
import { isScaLocked, lockedForSeconds, noFailures, type ScaFailureCount, scaFailed } from './sca-lockout.js';

const now = '2026-11-20T10:00:00.000Z';
const failTimes = (n: number, from: ScaFailureCount = noFailures, at = now): ScaFailureCount =>
  Array.from({ length: n }).reduce<ScaFailureCount>((count) => scaFailed(count, at), from);

describe('the SCA lock (contract 12)', () => {
  it('starts with the fifth failure in a row and lasts 30 minutes', () => {
    expect(isScaLocked(failTimes(4), now)).toBe(false);
    expect(isScaLocked(failTimes(5), now)).toBe(true);
    expect(isScaLocked(failTimes(5), '2026-11-20T10:29:59.999Z')).toBe(true);
    expect(isScaLocked(failTimes(5), '2026-11-20T10:30:00.000Z')).toBe(false);
    expect(lockedForSeconds(failTimes(5), addSeconds(now, 1799.5))).toBe(1);
    expect(lockedForSeconds(failTimes(4), now)).toBe(0);
  });

  it('is not extended by attempts during the lock', () => {
    expect(failTimes(50, failTimes(5), addSeconds(now, 60))).toEqual(failTimes(5));
  });

  it('resets the count when it ends', () => {
    const later = '2026-11-20T10:30:00.000Z';
    expect(scaFailed(failTimes(5), later)).toEqual({ failures: 1 });
    expect(isScaLocked(failTimes(5, failTimes(5), later), later)).toBe(true);
  });
});

describe('the content that an OTP code is bound to (RTS on SCA article 5)', () => {
  const payment: SignedContent = {
    kind: 'payment',
    resourceId: 'pay-1',
    amount: { minor: 1250, currency: 'BGN' },
    payeeAccount: 'BG26RZBB91551023456789',
    payeeName: 'Петър Иванов',
  };

  it.each([
    { resourceId: 'pay-2' },
    { amount: { minor: 1251, currency: 'BGN' } },
    { amount: { minor: 1250, currency: 'EUR' } },
    { payeeAccount: 'BG88BNBG96618000195001' },
    { payeeName: 'Друг' },
  ])('changes with %j', (change) => {
    expect(otpBinding({ ...payment, ...change })).not.toBe(otpBinding(payment));
  });

  const order: SignedContent = {
    kind: 'order',
    resourceId: 'pay-1',
    amount: { minor: 1250, currency: 'BGN' },
    payeeAccount: 'BG26RZBB91551023456789',
    payeeName: 'Петър Иванов',
    schedule: { startDate: '2027-01-15', frequency: 'Monthly' },
  };

  it('differs between a periodic order and a single payment to the same payee', () => {
    expect(otpBinding(order)).not.toBe(otpBinding({ ...order, kind: 'payment' }));
  });

  it.each([
    { amount: { minor: 1251, currency: 'BGN' } },
    { payeeAccount: 'BG88BNBG96618000195001' },
    { payeeName: 'Друг' },
    ...[
      { startDate: '2027-01-16' },
      { endDate: '2028-01-15' },
      { numberOfPayments: 12 },
      { frequency: 'Weekly' as const },
      { dayOfExecution: 31 },
      { monthsOfExecution: [1, 2] },
      { executionRule: 'preceding' as const },
    ].map((change) => ({ schedule: { ...order.schedule, ...change } })),
  ])('changes for a periodic order with %j', (change) => {
    expect(otpBinding({ ...order, ...change })).not.toBe(otpBinding(order));
  });

  const payee = { account: 'BG26RZBB91551023456789', name: 'Петър', amount: { minor: 5, currency: 'BGN' } };
  const basket: SignedContent = { kind: 'basket', resourceId: 'b', items: ['one', 'two'] };
  it.each([
    ['an item less', ['one']],
    ['an item more', ['one', 'two', 'two']],
    ['another item', ['one', 'three']],
    ['another order of the items', ['two', 'one']],
  ])('changes for a basket with %s (contract 10)', (_what, items) => {
    expect(otpBinding({ ...basket, items })).not.toBe(otpBinding(basket));
  });

  const bulk: SignedContent = {
    kind: 'bulk',
    resourceId: 'pay-1',
    total: { minor: 11, currency: 'BGN' },
    payees: [payee, { ...payee, amount: { minor: 6, currency: 'BGN' } }],
  };

  it.each([
    ['the total', { total: { minor: 12, currency: 'BGN' } }],
    ['the number of payments', { payees: [...bulk.payees, payee] }],
    ['their order', { payees: bulk.payees.toReversed() }],
    ['an account', { payees: [{ ...payee, account: 'BG88BNBG96618000195001' }, bulk.payees[1] ?? payee] }],
    ['a name', { payees: [{ ...payee, name: 'Иван' }, bulk.payees[1] ?? payee] }],
    [
      'how the total is divided',
      { payees: [6, 5].map((minor) => ({ ...payee, amount: { minor, currency: 'BGN' } })) },
    ],
  ])('changes for a bulk payment with %s (contract 9)', (_what, change) => {
    expect(otpBinding({ ...bulk, ...change })).not.toBe(otpBinding(bulk));
  });

  it('differs if text moves from one field to the next', () => {
    const parts = fc.record({ payeeAccount: fc.string(), payeeName: fc.string() });
    fc.assert(
      fc.property(parts, parts, (one, two) => {
        const isSame = one.payeeAccount === two.payeeAccount && one.payeeName === two.payeeName;
        expect(otpBinding({ ...payment, ...one }) === otpBinding({ ...payment, ...two })).toBe(isSame);
      }),
    );
  });

  it('ignores the order of the accounts in a consent', () => {
    const consent = (accounts: string[]): string =>
      otpBinding({ kind: 'consent', resourceId: 'con-1', accounts });
    expect(consent(['a', 'b'])).toBe(consent(['b', 'a', 'a']));
    expect(consent(['a', 'b'])).not.toBe(consent(['a']));
    expect(consent(['a,b'])).not.toBe(consent(['a', 'b']));
  });
});
