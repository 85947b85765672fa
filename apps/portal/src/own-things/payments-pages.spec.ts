import { describe, expect, it } from '@jest/globals';
import type { OwnPayment } from './own-things.js';
import { paymentPage, paymentsPage } from './payments-pages.js';

const session = { csrf: 'csrf' };
const time = '2026-11-20T09:00:00.000Z';
const initiated = { time, type: 'initiated', status: 'RCVD' };
const accepted = { time, type: 'accepted', status: 'ACCP' };
const signed = { time, type: 'signed', status: 'ACCP' };
const refused = { time, type: 'funds-refused', status: 'ACCP' };
const settled = { time, type: 'settled', status: 'ACSC' };

describe('the page of a payment in the workspace', () => {
  it.each([
    ['a payment without a signature', [initiated], ['expire', 'cancel']],
    ['a payment whose customer has only signed in', [initiated, accepted], ['expire', 'cancel']],
    ['a signed payment', [initiated, accepted, signed], ['settle', 'cancel']],
    ['a payment that the account did not cover', [initiated, accepted, signed, refused], []],
    ['a settled payment', [initiated, accepted, signed, settled], []],
    ['a payment with archived events', [], []],
  ])('offers for %s only the actions that are possible', (_what, events, actions) => {
    const { text } = paymentPage({ session, paymentId: 'id', events, leftOut: 0 });
    const offered = [...text.matchAll(/name="action" value="(settle|expire|cancel)"/g)];
    expect(offered.map(([, action]) => action)).toEqual(actions);
    expect(text.includes('This payment has ended.')).toBe(actions.length === 0);
  });
});

describe('the list of payments in the workspace', () => {
  const payment = (changes: Partial<OwnPayment>): OwnPayment => ({
    paymentId: 'id',
    paymentService: 'payments',
    paymentProduct: 'domestic-credit-transfers-bgn',
    transactionStatus: 'ACCP',
    amount: { amount: '1.00', currency: 'BGN' },
    createdAt: time,
    _links: { self: { href: '' } },
    ...changes,
  });

  it.each([
    ['ACCP', undefined, false],
    ['ACCP', false, true],
    ['ACSC', true, false],
  ])(
    'shows for %s with fundsAvailable %s whether the account did not cover the payment: %s',
    (status, funds, shown) => {
      const changes = funds === undefined ? {} : { fundsAvailable: funds };
      const { text } = paymentsPage(session, { items: [payment({ transactionStatus: status, ...changes })] });
      expect(text.includes('no funds')).toBe(shown);
    },
  );
});
