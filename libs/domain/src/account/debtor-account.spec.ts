import { describe, expect, it } from '@jest/globals';
import { type AccountFacts, debtorAccountFailure, unusableDebtorAccount } from './debtor-account.js';

const facts: AccountFacts = {
  iban: 'BG25XSBK92001000000001',
  currency: 'BGN',
  type: 'CACC',
  status: 'enabled',
  internetBanking: true,
  signaturesRequired: 1,
};
const order = { debtorIban: facts.iban, amount: { minor: 1, currency: 'BGN' } };
const profile = { currencies: ['BGN', 'EUR'], offers: [] };

describe('the debtor account check (spec 1.1, contract 3)', () => {
  it('accepts an open current account with internet banking', () => {
    expect(debtorAccountFailure(facts, order, profile)).toBeUndefined();
  });

  it.each<[string, AccountFacts | undefined]>([
    ['unknown', undefined],
    ['another one', { ...facts, iban: 'BG95XSBK92001000000002' }],
    ['closed', { ...facts, status: 'closed' }],
    ['blocked', { ...facts, status: 'blocked' }],
    ['a savings account', { ...facts, type: 'SVGS' }],
    ['without internet banking', { ...facts, internetBanking: false }],
    ['in another currency than the payment', { ...facts, currency: 'EUR' }],
  ])('returns the same failure if the account is %s', (_why, account) => {
    expect(debtorAccountFailure(account, order, profile)).toEqual({
      failure: 'debtorAccountUnusable',
      path: 'debtorAccount',
    });
  });

  it('accepts an account with several signers only if the profile offers multilevel SCA (spec 1.7)', () => {
    const corporate = { ...facts, signaturesRequired: 2, corporateId: 'acme' };
    expect(debtorAccountFailure(corporate, order, profile)).toEqual({
      failure: 'debtorAccountUnusable',
      path: 'debtorAccount',
    });
    expect(
      debtorAccountFailure(corporate, order, { ...profile, offers: ['multilevel-sca'] }),
    ).toBeUndefined();
  });

  it('accepts a currency named by the TPP only if the account has that currency', () => {
    expect(debtorAccountFailure(facts, order, profile, 'BGN')).toBeUndefined();
    expect(debtorAccountFailure(facts, order, profile, 'EUR')?.text).toMatch(/with this IBAN and currency/);
  });

  it('returns the same failure whatever the cause if the TPP named a currency', () => {
    const [wrongCurrency, ...others] = [
      debtorAccountFailure(facts, order, profile, 'EUR'),
      debtorAccountFailure(undefined, order, profile, 'BGN'),
      debtorAccountFailure({ ...facts, status: 'closed' }, order, profile, 'BGN'),
      unusableDebtorAccount('BGN'),
    ];
    for (const other of others) expect(other).toEqual(wrongCurrency);
  });

  it('refuses an account whose currency is outside the profile', () => {
    const usd = { ...order, amount: { minor: 1, currency: 'USD' } };
    expect(debtorAccountFailure({ ...facts, currency: 'USD' }, usd, profile)?.failure).toBe(
      'debtorAccountUnusable',
    );
  });
});
