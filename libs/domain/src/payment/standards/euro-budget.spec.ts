import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '../../testing/profiles.js';
import { validatePayment } from '../fields/validate-payment.js';
import { euroExampleBodies } from './euro-example-bodies.js';
import { carriedIdentifier } from './euro-budget.js';

const product = 'domestic-budget-transfer-EUR';
const rules = { profile: makeProfile('bg-euro'), today: '2026-11-20', ownBankCode: 'XSBK' };
const details = 'budgetPaymentDetails';
const text = 'remittanceInformationUnstructured';

/** IBANs by their positions 13 and 14. */
const at = {
  80: 'BG88BNBG96618000195001',
  31: 'BG39BNBG96613100195002',
  84: 'BG53XSBV92008400000001',
} as const;
const eik = { taxpayerId: '999999995', taxpayerType: 'EIK' };

const validate = (iban: string, budgetPaymentDetails: unknown, change: object = {}) =>
  validatePayment(
    product,
    { ...euroExampleBodies[product], creditorAccount: { iban }, budgetPaymentDetails, ...change },
    rules,
  );
const failuresOf = (...sent: Parameters<typeof validate>): string[] => {
  const result = validate(...sent);
  return 'failures' in result ? result.failures.map(({ failure, path }) => `${failure} ${path ?? '-'}`) : [];
};
const remittanceOf = (...sent: Parameters<typeof validate>): string | undefined => {
  const result = validate(...sent);
  return 'valid' in result ? result.valid.order.remittance : undefined;
};

describe('budgetPaymentDetails in euro (contract E2.5)', () => {
  it.each(['80', '84'] as const)('are mandatory for a revenue account, with the identifier: %s', (digits) => {
    expect(failuresOf(at[digits], undefined)).toEqual([`fieldMissing ${details}`]);
    expect(failuresOf(at[digits], {})).toEqual([
      `fieldMissing ${details}.taxpayerId`,
      `fieldMissing ${details}.taxpayerType`,
    ]);
    expect(failuresOf(at[digits], eik)).toEqual([]);
  });

  it('are optional for other accounts, and each part of the identifier needs the other', () => {
    expect(failuresOf(at[31], undefined)).toEqual([]);
    expect(failuresOf(at[31], {})).toEqual([]);
    expect(failuresOf(at[31], { taxpayerId: eik.taxpayerId })).toEqual([
      `fieldMissing ${details}.taxpayerType`,
    ]);
    expect(failuresOf(at[31], { taxpayerType: 'EIK' })).toEqual([`fieldMissing ${details}.taxpayerId`]);
  });

  it.each([
    ['EIK', '999999995'],
    ['EIK', '9999999950009'],
    ['EGN', '9901010002'],
    ['EGN', '0141310019'],
    ['PNF', '1001122339'],
    ['LNC', '1001122339'],
  ])('take a right %s %s under both spellings', (taxpayerType, taxpayerId) => {
    expect(failuresOf(at[80], { taxpayerId, taxpayerType })).toEqual([]);
    expect(failuresOf(at[80], { taxPayerId: taxpayerId, taxPayerType: taxpayerType })).toEqual([]);
  });

  it.each([
    ['EIK', '999999994'],
    ['EIK', '9901010002'],
    ['EGN', '999999995'],
    ['EGN', '9901010003'],
    ['EGN', '9913010002'],
    ['PNF', '1001122338'],
    ['LNC', '1001122330'],
    ['EIK', '12345678'],
    ['EIK', ''],
    ['EIK', 999_999_995],
  ])('refuse the %s %j, naming the identifier', (taxpayerType, taxpayerId) => {
    expect(failuresOf(at[80], { taxpayerId, taxpayerType })).toEqual([
      `fieldMalformed ${details}.taxpayerId`,
    ]);
    expect(failuresOf(at[80], { taxPayerId: taxpayerId, taxPayerType: taxpayerType })).toEqual([
      `fieldMalformed ${details}.taxPayerId`,
    ]);
  });

  it('refuse another type of identifier', () => {
    for (const taxpayerType of ['VAT', 'eik', '', 7])
      expect(failuresOf(at[80], { ...eik, taxpayerType })).toEqual([
        `fieldMalformed ${details}.taxpayerType`,
      ]);
  });

  it('take a category of any six digits only for an account with 84', () => {
    expect(failuresOf(at[84], { ...eik, paymentCategory: '442100' })).toEqual([]);
    for (const paymentCategory of ['44210', '4421000', '44210x', 442_100])
      expect(failuresOf(at[84], { ...eik, paymentCategory })).toEqual([
        `fieldMalformed ${details}.paymentCategory`,
      ]);
    for (const iban of [at[80], at[31]])
      expect(failuresOf(iban, { ...eik, paymentCategory: '442100' })).toEqual([
        `fieldNotApplicable ${details}.paymentCategory`,
      ]);
  });

  it.each(['regulatoryReportType', 'documentNumber', 'documentDate', 'fromDate', 'endDate'])(
    'name the day on which %s ended',
    (name) => {
      const result = validate(at[80], { ...eik, [name]: '2026-12-01' });
      expect('failures' in result && result.failures).toEqual([
        {
          failure: 'fieldNotApplicable',
          path: `${details}.${name}`,
          text: 'This attribute ended on 2023-10-01. Remove it.',
        },
      ]);
    },
  );

  it('take a name of up to 70 characters, and nothing unknown', () => {
    expect(failuresOf(at[80], { ...eik, obligedPersonName: 'я'.repeat(70) })).toEqual([]);
    expect(failuresOf(at[80], { ...eik, obligedPersonName: 'я'.repeat(71), colour: 'red' })).toEqual([
      `fieldMalformed ${details}.obligedPersonName`,
      `fieldUnknown ${details}.colour`,
    ]);
    expect(failuresOf(at[80], 'EIK')).toEqual([`fieldMalformed ${details}`]);
  });

  it.each(['BG14XSBV92001000000101', 'DE89370400440532013000'])(
    'need an account with 8 or 3 at position 13; the refusal says how to pay another one: %s',
    (iban) => {
      expect(validate(iban, eik)).toEqual({
        failures: [
          {
            failure: 'fieldMalformed',
            path: 'creditorAccount.iban',
            text: 'A budget account has an IBAN of Bulgaria with 8 or 3 at position 13. Pay another account by SEPA-Credit-Transfer or, outside SEPA, by cross-border-credit-transfer.',
          },
        ],
      });
    },
  );

  it('are not mandatory for 8 at position 13 of an IBAN of another country', () => {
    expect(validate('DE20370400448532013000', undefined)).toMatchObject({
      failures: [{ failure: 'productWrong', text: expect.stringContaining('SEPA-Credit-Transfer') }],
    });
  });
});

describe('the text of a budget transfer in euro (contract E2.6)', () => {
  it.each([
    ['EIK', '999999995', '999999995    ДДС 12.2026'],
    ['EIK', '9999999950009', '9999999950009ДДС 12.2026'],
    ['EGN', '9901010002', '9901010002   ДДС 12.2026'],
    ['PNF', '1001122339', 'LNC1001122339ДДС 12.2026'],
    ['LNC', '1001122339', 'LNC1001122339ДДС 12.2026'],
  ])('begins with the %s in 13 characters', (taxpayerType, taxpayerId, expected) => {
    const change = { [text]: 'ДДС 12.2026' };
    expect(remittanceOf(at[80], { taxpayerId, taxpayerType }, change)).toBe(expected);
    expect(remittanceOf(at[80], { taxPayerId: taxpayerId, taxPayerType: taxpayerType }, change)).toBe(
      expected,
    );
  });

  it('needs no further text with an identifier, and one of at most 127 characters may follow', () => {
    expect(remittanceOf(at[80], eik, { [text]: undefined })).toBe('999999995    ');
    expect(remittanceOf(at[80], eik, { [text]: 'я'.repeat(127) })).toHaveLength(140);
    expect(failuresOf(at[80], eik, { [text]: 'я'.repeat(128) })).toEqual([`fieldMalformed ${text}`]);
  });

  it('is mandatory without an identifier, with up to 140 characters', () => {
    expect(failuresOf(at[31], undefined, { [text]: undefined })).toEqual([`fieldMissing ${text}`]);
    expect(failuresOf(at[31], {}, { [text]: undefined })).toEqual([`fieldMissing ${text}`]);
    expect(remittanceOf(at[31], undefined, { [text]: 'я'.repeat(140) })).toBe('я'.repeat(140));
  });

  it('has no identifier without details', () => {
    expect(carriedIdentifier({})).toBeUndefined();
    expect(carriedIdentifier({ budgetPaymentDetails: {} })).toBeUndefined();
  });
});
