import { describe, expect, it } from '@jest/globals';
import type { NewPsu } from '@xs2a/contracts/accounts.contract';
import { wishedPsu } from './new-psu-rules.js';

const problems = (body: unknown, needsAccounts = true): string[] => {
  const checked = wishedPsu(body as NewPsu, needsAccounts);
  return 'failures' in checked ? checked.failures.map(({ failure, path }) => `${failure} ${path ?? ''}`) : [];
};
const account = { currency: 'BGN', opening: '100.00' };

describe('a new sandbox PSU (contract 13)', () => {
  it('is accepted with amounts converted to minor units, and has a current account by default', () => {
    expect(wishedPsu({ accounts: [{ ...account, creditLimit: '50' }] }, true)).toEqual({
      wish: { accounts: [{ currency: 'BGN', type: 'CACC', opening: 10_000, creditLimit: 5000 }] },
    });
  });

  it('may start with a zero balance', () => {
    for (const opening of ['0', '0.00'])
      expect(problems({ accounts: [{ ...account, opening }] })).toEqual([]);
  });

  it.each([
    [{}, 'fieldMissing accounts'],
    [{ accounts: [] }, 'fieldMalformed accounts'],
    [{ accounts: 'x' }, 'fieldMalformed accounts'],
    [{ accounts: Array.from({ length: 11 }, () => account) }, 'fieldMalformed accounts'],
    [{ accounts: Array.from({ length: 11 }, () => null) }, 'fieldMalformed accounts'],
    [{ accounts: [null] }, 'fieldMalformed accounts[0]'],
    [{ accounts: [account, { opening: '1' }] }, 'fieldMissing accounts[1].currency'],
    [{ accounts: [{ ...account, currency: 'ZZZ' }] }, 'fieldMalformed accounts[0].currency'],
    [{ accounts: [{ currency: 'BGN' }] }, 'fieldMissing accounts[0].opening'],
    [{ accounts: [{ ...account, opening: '-1' }] }, 'fieldMalformed accounts[0].opening'],
    [{ accounts: [{ ...account, opening: 1 }] }, 'fieldMalformed accounts[0].opening'],
    [{ accounts: [{ ...account, opening: '1.005' }] }, 'fieldMalformed accounts[0].opening'],
    [{ accounts: [{ ...account, opening: '99999999999999' }] }, 'fieldMalformed accounts[0].opening'],
    [{ accounts: [{ ...account, creditLimit: '1e3' }] }, 'fieldMalformed accounts[0].creditLimit'],
    [{ accounts: [{ ...account, type: 'LOAN' }] }, 'fieldMalformed accounts[0].type'],
    [{ accounts: [{ ...account, type: 'constructor' }] }, 'fieldMalformed accounts[0].type'],
    [{ accounts: [{ ...account, iban: 'x' }] }, 'fieldUnknown accounts[0].iban'],
    [{ accounts: [account], name: '' }, 'fieldMalformed name'],
    [{ accounts: [account], name: 'x'.repeat(71) }, 'fieldMalformed name'],
    [{ accounts: [account], corporateId: 'a b' }, 'fieldMalformed corporateId'],
    [{ accounts: [account], corporateId: 'a', signaturesRequired: 0 }, 'fieldMalformed signaturesRequired'],
    [{ accounts: [account], corporateId: 'a', signaturesRequired: 1.5 }, 'fieldMalformed signaturesRequired'],
    [{ accounts: [account], signaturesRequired: 2 }, 'fieldMalformed signaturesRequired'],
    [{ accounts: [account], psuId: 'x' }, 'fieldUnknown psuId'],
  ])('is refused if the body is %j', (body, expected) => {
    expect(problems(body)).toEqual([expected]);
  });

  it('is refused with all violations in field order', () => {
    expect(problems({ name: 1, accounts: [{ currency: 'x', opening: 'y' }], corporateId: '' })).toEqual([
      'fieldMalformed name',
      'fieldMalformed accounts[0].currency',
      'fieldMalformed accounts[0].opening',
      'fieldMalformed corporateId',
    ]);
  });

  it('does not need any accounts to join a corporate', () => {
    expect(problems({ corporateId: 'acme' }, false)).toEqual([]);
  });
});
