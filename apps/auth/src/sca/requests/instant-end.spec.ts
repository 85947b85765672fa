import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { findInstantEnd, renewAfter } from './instant-end.js';

const profile = makeProfile('bg-euro-production');
/** A Saturday, 23:30 in Sofia. */
const now = '2027-01-02T21:30:00.000Z';
const signed: Parameters<typeof findInstantEnd>[0] = {
  product: 'instant-SEPA-credit-transfer',
  service: 'payments',
  transactionStatus: 'ACCP',
  signaturesMissing: 0,
};
const find = (change: Partial<typeof signed> = {}) => findInstantEnd({ ...signed, ...change }, now, profile);

describe('what became of an instant payment after the last signature (contract E3.2, E7.2)', () => {
  it('is under way until it is final, at any time of any day', () => {
    expect(find()).toEqual({ kind: 'under-way' });
    expect(find({ transactionStatus: 'ACSP' })).toEqual({ kind: 'under-way' });
  });

  it('is settled with ACSC, and rejected with the reason with RJCT', () => {
    expect(find({ transactionStatus: 'ACSC' })).toEqual({ kind: 'settled' });
    const rejected = find({ transactionStatus: 'RJCT', reasonCode: 'AB08' });
    expect(rejected).toEqual({ kind: 'rejected', reasonCode: 'AB08' });
  });

  it('is not awaited for a later day, from whose start on it is', () => {
    expect(find({ requestedExecutionDate: '2027-01-03' })).toBeUndefined();
    expect(find({ requestedExecutionDate: '2027-01-02' })).toEqual({ kind: 'under-way' });
  });

  it.each<[string, Partial<typeof signed>]>([
    ['of another product', { product: 'SEPA-Credit-Transfer' }],
    ['of a bulk payment', { service: 'bulk-payments' }],
    ['that another signer still has to sign', { signaturesMissing: 1, transactionStatus: 'PATC' }],
    ['that a signer refused', { transactionStatus: 'RJCT' }],
    ['that was cancelled', { transactionStatus: 'CANC' }],
  ])('is not shown of a payment %s', (_which, change) => {
    expect(find(change)).toBeUndefined();
  });
});

describe('the renewal of the result page (contract 12, E7.2)', () => {
  const signedAt = '2027-01-02T21:30:00.000Z';
  const after = (seconds: number) => Date.parse(signedAt) + seconds * 1000;

  it('is every two seconds for twenty seconds after the signature', () => {
    const times = [0, 10, 19.9, 20, 3600].map((seconds) =>
      renewAfter({ kind: 'under-way' }, signedAt, after(seconds)),
    );
    expect(times).toEqual([2, 2, 2, undefined, undefined]);
  });

  it('ends with the payment', () => {
    expect(renewAfter({ kind: 'settled' }, signedAt, after(1))).toBeUndefined();
    expect(renewAfter({ kind: 'rejected', reasonCode: 'AB05' }, signedAt, after(1))).toBeUndefined();
    expect(renewAfter(undefined, signedAt, after(1))).toBeUndefined();
  });
});
