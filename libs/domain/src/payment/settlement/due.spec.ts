import { describe, expect, it } from '@jest/globals';
import { paymentFrom } from '../evolve-payment.js';
import type { PaymentEvent } from '../payment-events.js';
import type { PaymentState } from '../payment-state.js';
import { dueTransactions, nextDueAt } from './due.js';

const dueAt = '2026-11-20T10:01:00.000Z';
const bookAt = '2026-11-20T10:06:00.000Z';
const order = {
  amount: { minor: 1, currency: 'BGN' },
  debtorIban: 'BG25XSBK92001000000001',
  creditorAccount: 'BG80BNBG96611020345678',
  creditorName: 'n',
  remittance: 'r',
};
const by = { authorisationId: 'a', psuId: 'ivan' };
const initiated: PaymentEvent = {
  type: 'initiated',
  data: {
    paymentId: 'p',
    tppId: 't',
    product: 'domestic-credit-transfer-BGN',
    paymentType: 'DOMESTIC',
    body: {},
    order,
    signaturesRequired: 1,
    authorisationId: 'a',
    redirectUris: {},
    expiresAt: dueAt,
  },
};
const accepted: PaymentEvent = { type: 'accepted', data: by };
const signed: PaymentEvent = {
  type: 'signed',
  data: { ...by, signedAt: dueAt, executionDate: '2026-11-20', dueAt, order },
};
const started: PaymentEvent = {
  type: 'settlement-started',
  data: { holdId: 'h', transactionId: 't', bookAt },
};
const settled: PaymentEvent = { type: 'settled', data: { postingId: 'p' } };
const booked: PaymentEvent = { type: 'entry-booked', data: { transactionId: 't' } };
const refused: PaymentEvent = { type: 'funds-refused', data: { reason: 'insufficient-funds' } };
const cancelled: PaymentEvent = { type: 'cancelled', data: { tppId: 't' } };
const rejected: PaymentEvent = { type: 'rejected', data: { reason: 'not-authorised-in-time' } };

const after = (...events: readonly PaymentEvent[]): PaymentState => {
  const state = paymentFrom([initiated, ...events], dueAt);
  if (state === undefined) throw new Error('no payment');
  return state;
};

describe('the settlement steps of a payment and their due times', () => {
  it.each([
    ['signed', [accepted, signed], 'ACCP', dueAt],
    ['held', [accepted, signed, started], 'ACSP', dueAt],
    ['paid, its entry pending', [accepted, signed, started, settled], 'ACSC', bookAt],
  ] as const)('%s', (_name, events, transactionStatus, at) => {
    expect(dueTransactions(after(...events), { fees: [] })).toEqual([
      { dueAt: at, transactionStatus, order },
    ]);
    expect(nextDueAt(after(...events))).toBe(at);
  });

  it.each([
    ['initiated', []],
    ['accepted and not signed', [accepted]],
    ['without funds', [accepted, signed, refused]],
    ['cancelled', [accepted, signed, cancelled]],
    ['rejected', [rejected]],
    ['paid, its entry booked', [accepted, signed, started, settled, booked]],
  ] as const)('do not exist if the payment is %s', (_name, events) => {
    expect(dueTransactions(after(...events), { fees: [] })).toEqual([]);
    expect(nextDueAt(after(...events))).toBeUndefined();
  });
});
