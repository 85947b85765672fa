import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { makeProfile } from '../../testing/profiles.js';
import { exampleBodies } from '../example-bodies.js';
import { paymentFields } from './payment-fields.js';
import { type LevProduct, levProducts } from '../payment-products.js';
import { validatePayment } from './validate-payment.js';

const rules = { profile: makeProfile('sandbox'), today: '2026-11-20', ownBankCode: 'XSBK' };
const inProduction = { ...rules, profile: makeProfile('production') };
const domestic: LevProduct = 'domestic-credit-transfer-BGN';

const body: Readonly<Record<string, unknown>> = {
  endToEndIdentification: 'INV-2026-17',
  debtorAccount: { iban: 'BG25XSBK92001000000001' },
  instructedAmount: { currency: 'BGN', amount: '12.50' },
  creditorAccount: { iban: 'BG26RZBB91551023456789' },
  creditorName: 'Петър Иванов',
  remittanceInformationUnstructured: 'Фактура 17',
  serviceLevel: 'NURG',
};
const withField = (path: string, value: unknown): Record<string, unknown> => ({ ...body, [path]: value });
const without = (...names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

const validate = (submitted: unknown, product = domestic, given = rules) =>
  validatePayment(product, submitted, given);
/** Formats failures as `name path`, in the order in which they are reported. */
const validationFailures = (submitted: unknown, product = domestic, given = rules): string[] => {
  const result = validate(submitted, product, given);
  return 'failures' in result ? result.failures.map(({ failure, path }) => `${failure} ${path ?? '-'}`) : [];
};

describe('domestic credit transfer (spec 2.4)', () => {
  it('creates an order from a valid body', () => {
    expect(validate({ ...body, requestedExecutionDate: '2026-12-01' })).toEqual({
      valid: {
        order: {
          amount: { minor: 1250, currency: 'BGN' },
          debtorIban: 'BG25XSBK92001000000001',
          creditorAccount: 'BG26RZBB91551023456789',
          creditorName: 'Петър Иванов',
          remittance: 'Фактура 17',
          endToEndId: 'INV-2026-17',
        },
        paymentType: 'DOMESTIC',
        requestedExecutionDate: '2026-12-01',
      },
    });
  });

  it.each([
    'debtorAccount',
    'instructedAmount',
    'creditorAccount',
    'creditorName',
    'remittanceInformationUnstructured',
    'serviceLevel',
  ])('requires %s', (name) => {
    expect(validationFailures(without(name))).toEqual([`fieldMissing ${name}`]);
  });

  it.each([
    'ultimateDebtor',
    'creditorAgentName',
    'creditorAgentAddress',
    'purposeCode',
    'chargeBearer',
    'budgetPaymentDetails',
    'debtorId',
    'transactionCurrency',
    'creditorId',
    'ultimateCreditor',
    'remittanceInformationUnstructuredArray',
    'remittanceInformationStructured',
    'requestedExecutionTime',
  ])('refuses %s, which does not apply', (name) => {
    expect(validationFailures(withField(name, 'GOVT'))).toEqual([`fieldNotApplicable ${name}`]);
  });

  it.each<[string, unknown]>([
    ['endToEndIdentification', undefined],
    ['endToEndIdentification', 'x'.repeat(35)],
    ['creditorAgent', 'RZBBBGSF'],
    ['creditorName', '😀'.repeat(70)],
    ['remittanceInformationUnstructured', 'я'.repeat(140)],
    ['creditorAddress', { country: 'BG' }],
    [
      'creditorAddress',
      {
        streetName: 'x'.repeat(70),
        buildingNumber: '1А',
        townName: 'София',
        postCode: '1000',
        country: 'BG',
      },
    ],
    ['serviceLevel', 'URGP'],
    ['requestedExecutionDate', '2026-11-20'],
    ['debtorAccount', { iban: 'BG25XSBK92001000000001', currency: 'BGN', cashAccountType: 'CACC' }],
    ['creditorAccount', { iban: 'BG46XSBK92001000000011' }],
    ['instructedAmount', { currency: 'BGN', amount: '0.01' }],
  ])('accepts %s with the value %j', (name, value) => {
    expect(validationFailures(withField(name, value))).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['endToEndIdentification', 'x'.repeat(36), 'fieldMalformed endToEndIdentification'],
    ['endToEndIdentification', null, 'fieldMalformed endToEndIdentification'],
    ['creditorName', '', 'fieldMalformed creditorName'],
    ['creditorName', 'x'.repeat(71), 'fieldMalformed creditorName'],
    ['creditorName', 'abc\u202etxt', 'fieldMalformed creditorName'],
    ['creditorName', ['Петър'], 'fieldMalformed creditorName'],
    [
      'remittanceInformationUnstructured',
      'x'.repeat(141),
      'fieldMalformed remittanceInformationUnstructured',
    ],
    ['serviceLevel', 'SEPA', 'fieldMalformed serviceLevel'],
    ['serviceLevel', 'nurg', 'fieldMalformed serviceLevel'],
    ['serviceLevel', { code: 'NURG' }, 'fieldMalformed serviceLevel'],
    ['creditorAgent', 'RZBB', 'fieldMalformed creditorAgent'],
    ['requestedExecutionDate', '2026-02-30', 'fieldMalformed requestedExecutionDate'],
    ['requestedExecutionDate', '2026-12-01T00:00:00Z', 'fieldMalformed requestedExecutionDate'],
    ['debtorAccount', 'BG25XSBK92001000000001', 'fieldMalformed debtorAccount'],
    ['debtorAccount', {}, 'fieldMissing debtorAccount.iban'],
    ['debtorAccount', { iban: 'BG00XSBK92001000000001' }, 'fieldMalformed debtorAccount.iban'],
    [
      'debtorAccount',
      { iban: 'BG25XSBK92001000000001', currency: 'bgn' },
      'fieldMalformed debtorAccount.currency',
    ],
    ['debtorAccount', { iban: 'BG25XSBK92001000000001', owner: 'x' }, 'fieldUnknown debtorAccount.owner'],
    ['instructedAmount', '12.50', 'fieldMalformed instructedAmount'],
    ['instructedAmount', { currency: 'BGN' }, 'fieldMissing instructedAmount.amount'],
    ['instructedAmount', { amount: '1.00' }, 'fieldMissing instructedAmount.currency'],
    ['instructedAmount', { currency: 'BGN', amount: 12.5 }, 'fieldMalformed instructedAmount.amount'],
    ['instructedAmount', { currency: 'BGN', amount: '12.501' }, 'fieldMalformed instructedAmount.amount'],
    ['instructedAmount', { currency: 'lev', amount: '12.50' }, 'fieldMalformed instructedAmount.currency'],
    [
      'instructedAmount',
      { currency: 'BGN', amount: '1.00', unit: 'x' },
      'fieldUnknown instructedAmount.unit',
    ],
    ['creditorAddress', {}, 'fieldMissing creditorAddress.country'],
    ['creditorAddress', { country: 'ZZ' }, 'fieldMalformed creditorAddress.country'],
    [
      'creditorAddress',
      { country: 'BG', streetName: 'x'.repeat(71) },
      'fieldMalformed creditorAddress.streetName',
    ],
    ['creditorAddress', { country: 'BG', planet: 'x' }, 'fieldUnknown creditorAddress.planet'],
    ['creditorAccount', {}, 'fieldMissing creditorAccount.iban'],
    ['creditorAccount', { iban: 'bg26rzbb91551023456789' }, 'fieldMalformed creditorAccount.iban'],
    ['colour', 'blue', 'fieldUnknown colour'],
  ])('refuses %s with the value %j', (name, value, failure) => {
    expect(validationFailures(withField(name, value))).toEqual([failure]);
  });

  it('reports all violations together, in the order of the field table, with unknown fields last', () => {
    const wrong = {
      colour: 'blue',
      serviceLevel: 'SEPA',
      budgetPaymentDetails: {},
      instructedAmount: { currency: 'B', amount: '0' },
      endToEndIdentification: '',
    };
    expect(validationFailures(wrong)).toEqual([
      'fieldMalformed endToEndIdentification',
      'fieldMissing debtorAccount',
      'fieldMalformed instructedAmount.currency',
      'fieldMalformed instructedAmount.amount',
      'fieldMissing creditorAccount',
      'fieldMissing creditorName',
      'fieldMissing remittanceInformationUnstructured',
      'fieldMalformed serviceLevel',
      'fieldNotApplicable budgetPaymentDetails',
      'fieldUnknown colour',
    ]);
  });

  it('names unknown members safely and limits the length of the names', () => {
    const hostile: unknown = JSON.parse(`{"__proto__": 1, "constructor": 2, "${'x'.repeat(100)}": 3}`);
    expect(validationFailures({ ...body, ...Object(hostile) })).toContain('fieldUnknown constructor');
    expect(validationFailures(JSON.parse('{"__proto__": {"iban": 1}, "\\u202e": 1}'))).toContain(
      'fieldUnknown -',
    );
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`field${n}`, n]));
    expect(validationFailures({ ...body, ...many })).toHaveLength(100);
  });

  it.each([null, [], [body], 'x', 7, true])('refuses %j as a body', (submitted) => {
    expect(validationFailures(submitted)).toEqual(['bodyNotJson -']);
  });

  it('never echoes submitted values in its failure texts, for any field of any product (contract 3)', () => {
    const sent = 'zqxj';
    const values = ['iban', 'currency', 'amount', 'country', 'identification', 'fromDate', sent].map(
      (name) => ({
        [name]: sent,
      }),
    );
    let textCount = 0;
    for (const product of levProducts)
      for (const path of [...paymentFields.map((field) => field.path), sent])
        for (const value of [
          sent,
          sent.repeat(50),
          [sent],
          ...values,
          { other: { identification: sent.repeat(50) } },
        ]) {
          const submitted = { ...exampleBodies[product], [path]: value };
          const result = validatePayment(product, submitted, inProduction);
          const texts = 'failures' in result ? result.failures.map(({ text }) => text ?? '') : [];
          textCount += texts.length;
          expect([product, path, value, texts.filter((text) => text.includes(sent))]).toEqual([
            product,
            path,
            value,
            [],
          ]);
        }
    expect(textCount).toBeGreaterThan(800);
  });

  it('handles any JSON in any field of any product without throwing, and reports that field', () => {
    const place = fc.record({
      product: fc.constantFrom(...levProducts),
      path: fc.constantFrom(...paymentFields.map(({ path }) => path)),
      value: fc.jsonValue(),
    });
    fc.assert(
      fc.property(place, ({ product, path, value }) => {
        const submitted = { ...exampleBodies[product], [path]: value };
        const result = validatePayment(product, submitted, inProduction);
        const blamed = 'failures' in result ? result.failures.map((failure) => failure.path ?? path) : [];
        expect('valid' in result || blamed.length > 0).toBe(true);
        expect(blamed.filter((one) => one !== path && !one.startsWith(`${path}.`))).toEqual([]);
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('validation of creditor accounts (spec 1.3, contract 8)', () => {
  const bban = { bban: '370400440532013000' };

  it('requires the BIC of the bank for an account without an IBAN', () => {
    expect(validationFailures(withField('creditorAccount', bban))).toEqual(['fieldMissing creditorAgent']);
    expect(validationFailures(withField('creditorAccount', { other: { identification: '12-34' } }))).toEqual([
      'fieldMissing creditorAgent',
    ]);
  });

  it('refuses an account without an IBAN in a domestic payment', () => {
    expect(validationFailures({ ...body, creditorAccount: bban, creditorAgent: 'DEUTDEFF' })).toEqual([
      'productWrong -',
    ]);
  });

  it.each([
    [{ bban: 'XSBK92001000000011' }, 'RZBBBGSF'],
    [{ bban: 'xsbk92001000000011' }, 'RZBBBGSF'],
    [{ other: { identification: 'BG46 XSBK 9200 1000 0000 11' } }, 'RZBBBGSF'],
    [{ other: { identification: 'anything' } }, 'XSBKBGSF'],
  ])('accepts an account of this bank only by its IBAN: %j', (creditorAccount, creditorAgent) => {
    expect(validationFailures({ ...body, creditorAccount, creditorAgent })).toEqual([
      'fieldMalformed creditorAccount',
    ]);
  });

  it('accepts only one identification per account', () => {
    const both = { iban: 'BG26RZBB91551023456789', bban: 'RZBB91551023456789' };
    expect(validationFailures(withField('creditorAccount', both))).toEqual([
      'fieldMalformed creditorAccount',
    ]);
  });

  it.each([
    [{ bban: 'with space' }, 'fieldMalformed creditorAccount.bban'],
    [{ bban: '1'.repeat(31) }, 'fieldMalformed creditorAccount.bban'],
    [{ bban: '123\u202e' }, 'fieldMalformed creditorAccount.bban'],
    [{ bban: 123 }, 'fieldMalformed creditorAccount.bban'],
    [{ other: { identification: '1\u200b2' } }, 'fieldMalformed creditorAccount.other.identification'],
    [{ other: { identification: 12 } }, 'fieldMalformed creditorAccount.other.identification'],
    [
      { other: { identification: 'x', issuer: 'x'.repeat(36) } },
      'fieldMalformed creditorAccount.other.issuer',
    ],
    [{ other: 'x' }, 'fieldMalformed creditorAccount.other'],
    [{ other: { issuer: 'x' } }, 'fieldMissing creditorAccount.other.identification'],
    [{ other: { identification: 'x'.repeat(36) } }, 'fieldMalformed creditorAccount.other.identification'],
    [{ other: { identification: 'x', colour: 'y' } }, 'fieldUnknown creditorAccount.other.colour'],
  ])('refuses %j', (creditorAccount, failure) => {
    expect(validationFailures({ ...body, creditorAccount, creditorAgent: 'RZBBBGSF' })).toEqual([failure]);
  });
});

describe('the stages after the format checks, which stop at the first failing stage (contract 3)', () => {
  const past = { requestedExecutionDate: '2026-11-19' };
  const toSelf = { creditorAccount: { iban: 'BG25XSBK92001000000001' } };
  const abroad = { creditorAccount: { iban: 'DE89370400440532013000' } };
  const euro = { instructedAmount: { currency: 'EUR', amount: '1.00' } };

  it.each([
    ['currency', { ...euro, ...abroad, ...past }, 'currencyNotSupported instructedAmount.currency'],
    ['type', { ...abroad, ...past }, 'productWrong -'],
    ['execution date', { ...past, ...toSelf }, 'executionDateInvalid requestedExecutionDate'],
    ['accounts', toSelf, 'sameAccount creditorAccount'],
  ])('%s', (_stage, change, failure) => {
    expect(validationFailures({ ...body, ...change })).toEqual([failure]);
  });

  it('do not run if the format is invalid', () => {
    expect(validationFailures({ ...body, ...euro, ...past, serviceLevel: 'X' })).toEqual([
      'fieldMalformed serviceLevel',
    ]);
  });

  it.each([
    ['cross-border-credit-transfer', abroad],
    ['SEPA-Credit-Transfer', { ...euro, ...abroad }],
    ['cross-border-credit-transfer', { ...euro, creditorAccount: { iban: 'TR330006100519786457841326' } }],
  ])('name the correct product in the failure text: %s (spec 1.9)', (product, change) => {
    const result = validate({ ...body, ...change }, domestic, inProduction);
    expect('failures' in result && result.failures[0]?.text).toContain(product);
  });
});
