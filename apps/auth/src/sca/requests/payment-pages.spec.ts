import { describe, expect, it } from '@jest/globals';
import type { PaymentAuthorisation } from '@xs2a/contracts/payments.contract';
import { decidedOutcome, outcomeOfRefusedStep } from './outcomes.js';
import { paymentPages } from './payment-pages.js';

const link = { paymentId: 'order', authorisationId: 'second' };
/** An order that one of two signers has signed, and that ended before the second one signed. */
const ended: PaymentAuthorisation = {
  ...link,
  tppId: 'tpp',
  scaStatus: 'psuIdentified',
  psuId: 'elena',
  redirectUris: {},
  expiresAt: '2026-11-20T10:00:00.000Z',
  signaturesMissing: 1,
  signedBy: ['georgi'],
  isTaken: true,
  transactionStatus: 'CANC',
  service: 'periodic-payments',
  product: 'domestic-credit-transfer-BGN',
  paymentType: 'DOMESTIC',
  orders: [],
  body: {},
  isGrouped: false,
};

describe('the outcome of an instant payment that was rejected after the signature (contract E7.2)', () => {
  const rejected: PaymentAuthorisation = {
    ...ended,
    service: 'payments',
    product: 'instant-SEPA-credit-transfer',
    paymentType: 'SEPA',
    signaturesMissing: 0,
    signedBy: ['georgi'],
    psuId: 'georgi',
    transactionStatus: 'RJCT',
    reasonCode: 'AB08',
  };

  it('is that its signer authorised it', () => {
    const state = paymentPages.linkedState(rejected, link);
    expect(decidedOutcome(state, 'georgi')).toEqual({ kind: 'authorised' });
    expect(outcomeOfRefusedStep(state, 'elena')).toEqual({
      kind: 'unchanged',
      reason: 'signed-by-another',
    });
  });
});

describe('the outcome of a payment that was rejected before all have signed (contract 12)', () => {
  it.each([
    ['time ran out', 'not-authorised-in-time', 'not-authorised-in-time'],
    ['another signer refused', 'psu-refused', 'no-longer-possible'],
    ['an earlier release does not report why', undefined, 'no-longer-possible'],
  ] as const)('names the reason: %s', (_title, rejectionReason, reason) => {
    const rejected = { ...ended, transactionStatus: 'RJCT', rejectionReason } as const;
    const state = paymentPages.linkedState(rejected, link);
    for (const outcome of [
      outcomeOfRefusedStep(state, 'elena'),
      decidedOutcome(state, 'elena'),
      decidedOutcome(state, 'georgi'),
    ])
      expect(outcome).toEqual({ kind: 'failed', reason });
  });
});

describe('the outcome of an order that ended before all have signed (contract 12)', () => {
  it.each([
    ['a signer stopped it', true, 'no-longer-possible'],
    ['the TPP cancelled it', false, 'terminated-by-tpp'],
    ['the TPP cancelled it, as an earlier release reports it', undefined, 'terminated-by-tpp'],
  ])('names the reason: %s', (_title, isStopped, reason) => {
    const state = paymentPages.linkedState({ ...ended, isStopped }, link);
    for (const outcome of [
      outcomeOfRefusedStep(state, 'elena'),
      decidedOutcome(state, 'elena'),
      decidedOutcome(state, 'georgi'),
    ])
      expect(outcome).toEqual({ kind: 'failed', reason });
  });
});
