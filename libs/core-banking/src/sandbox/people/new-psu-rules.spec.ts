import { describe, expect, it } from '@jest/globals';
import type { NewPsu } from '@xs2a/contracts/accounts.contract';
import { type PsuContext, wishedPsu } from './new-psu-rules.js';

const inLeva = { homeCurrency: 'BGN', needsAccounts: true };
const problems = (body: unknown, context: PsuContext = inLeva): string[] => {
  const checked = wishedPsu(body as NewPsu, context);
  return 'failures' in checked ? checked.failures.map(({ failure, path }) => `${failure} ${path ?? ''}`) : [];
};
const account = { currency: 'BGN', opening: '100.00' };

describe('a new sandbox PSU (contract 13)', () => {
  it('is accepted with amounts converted to minor units, and has a current account by default', () => {
    expect(wishedPsu({ accounts: [{ ...account, creditLimit: '50' }] }, inLeva)).toEqual({
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
    [{ accounts: [{ ...account, instantLimit: '5' }] }, 'fieldUnknown accounts[0].instantLimit'],
    [{ accounts: [account], corporateId: 'a', eik: '999999995' }, 'fieldUnknown eik'],
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
    expect(problems({ corporateId: 'acme' }, { ...inLeva, needsAccounts: false })).toEqual([]);
  });
});

describe('a new sandbox PSU of a bank in euro (contract E8.4)', () => {
  const inEuro = { homeCurrency: 'EUR', needsAccounts: true };
  const euroAccount = { currency: 'EUR', opening: '100.00' };
  const corporate = {
    corporateName: 'Лира ООД',
    otherNames: ['Lyra OOD', 'Lyra'],
    eik: '999999995',
    payeeVerificationOptOut: true,
  };

  it('may have a limit for instant payments and further holders of each account', () => {
    const account = { ...euroAccount, instantLimit: '50', holders: ['Мария Георгиева'] };
    expect(wishedPsu({ accounts: [account, euroAccount] }, inEuro)).toMatchObject({
      wish: {
        accounts: [{ instantLimit: 5000, holders: ['Мария Георгиева'] }, { currency: 'EUR' }],
      },
    });
    expect(problems({ accounts: [{ ...euroAccount, instantLimit: '0' }] }, inEuro)).toEqual([]);
  });

  it('may describe a new corporate with its names, EIK and opt-out', () => {
    const { corporateName, ...facts } = corporate;
    expect(wishedPsu({ accounts: [euroAccount], corporateId: 'lyra', ...corporate }, inEuro)).toMatchObject({
      wish: { corporateId: 'lyra', corporate: { name: corporateName, ...facts } },
    });
  });

  it('cannot describe a corporate that exists already, or none', () => {
    const all = Object.keys(corporate).map((name) => `fieldMalformed ${name}`);
    expect(problems({ corporateId: 'lyra', ...corporate }, { ...inEuro, needsAccounts: false })).toEqual(all);
    expect(problems({ accounts: [euroAccount], ...corporate }, inEuro)).toEqual(all);
  });

  it.each([
    [{ accounts: [account] }, 'fieldMalformed accounts[0].currency'],
    [{ accounts: [{ ...euroAccount, instantLimit: '-1' }] }, 'fieldMalformed accounts[0].instantLimit'],
    [{ accounts: [{ ...euroAccount, instantLimit: 1 }] }, 'fieldMalformed accounts[0].instantLimit'],
    [{ accounts: [{ ...euroAccount, holders: 'x' }] }, 'fieldMalformed accounts[0].holders'],
    [{ accounts: [{ ...euroAccount, holders: [''] }] }, 'fieldMalformed accounts[0].holders'],
    [{ accounts: [{ ...euroAccount, holders: [1] }] }, 'fieldMalformed accounts[0].holders'],
    [{ accounts: [{ ...euroAccount, holders: Array(11).fill('x') }] }, 'fieldMalformed accounts[0].holders'],
    [{ accounts: [euroAccount], corporateId: 'a', corporateName: '' }, 'fieldMalformed corporateName'],
    [{ accounts: [euroAccount], corporateId: 'a', otherNames: [null] }, 'fieldMalformed otherNames'],
    [{ accounts: [euroAccount], corporateId: 'a', eik: '12' }, 'fieldMalformed eik'],
    [{ accounts: [euroAccount], corporateId: 'a', eik: '999999994' }, 'fieldMalformed eik'],
    [{ accounts: [euroAccount], corporateId: 'a', eik: '9999999950008' }, 'fieldMalformed eik'],
    [{ accounts: [euroAccount], corporateId: 'a', eik: 999999995 }, 'fieldMalformed eik'],
    [
      { accounts: [euroAccount], corporateId: 'a', payeeVerificationOptOut: 'yes' },
      'fieldMalformed payeeVerificationOptOut',
    ],
  ])('is refused if the body is %j', (body, expected) => {
    expect(problems(body, inEuro)).toEqual([expected]);
  });
});
