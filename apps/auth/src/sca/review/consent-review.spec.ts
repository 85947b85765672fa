import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { readRows } from '../../testing/read-rows.js';
import { consentRows, fundsRows, type ShownConsent } from './consent-review.js';

const [own, savings] = ['BG25XSBK92001000000001', 'BG46XSBK92001000000011'];
const names = new Map([
  [own, { iban: own, name: 'Household' }],
  [savings, { iban: savings, name: 'Savings' }],
]);
const profile = makeProfile('sandbox');

describe('the review of an access to accounts (contract 12)', () => {
  const consent: ShownConsent = {
    access: { balances: [{ iban: own }] },
    psuPicksAccounts: false,
    recurringIndicator: true,
    validUntil: '2027-01-31',
    frequencyPerDay: 4,
  };
  const accounts = (known = names) =>
    readRows(consentRows(consent, {}, { language: 'en', profile, names: known }))['Accounts'];

  it('names each account, and shows only its IBAN if the bank does not name it', () => {
    expect(accounts()).toBe(`Household ${own} balances`);
    expect(accounts(new Map())).toBe(`${own} balances`);
  });
});

describe('the review of a funds confirmation (contract 7, 12)', () => {
  const read = (language: 'bg' | 'en', known = names) =>
    readRows(fundsRows({ language, profile, names: known, now: '2026-11-20T10:00:00.000Z' }));

  it('names the accounts, or says that all of them are meant', () => {
    expect(read('en')['Accounts']).toMatch(
      new RegExp(`^all accounts that you can use online\\s+Household ${own}; Savings ${savings}$`),
    );
    expect(read('en', new Map())['Accounts']).toBe('all accounts that you can use online');
  });

  it('shows the day on which it ends, or that the PSU ends it', () => {
    expect(profile.refreshTokenSeconds).toBe(86_400);
    expect(read('en')['How long']).toBe('until 21 November 2026, or until you end it');
    expect(read('bg')['Докога']).toBe('до 21 ноември 2026 г. или докато не го прекратите');
  });
});
