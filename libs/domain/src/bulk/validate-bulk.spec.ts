import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { maxFailuresListed } from '../failure/failures.js';
import { exampleBodies } from '../payment/example-bodies.js';
import { paymentFields } from '../payment/fields/payment-fields.js';
import { type LevProduct, levProducts } from '../payment/payment-products.js';
import { makeProfile } from '../testing/profiles.js';
import { bulkLimits, validateBulk } from './validate-bulk.js';

const rules = { profile: makeProfile('sandbox'), today: '2026-11-20', ownBankCode: 'XSBK' };
const domestic: LevProduct = 'domestic-credit-transfer-BGN';
const budget: LevProduct = 'domestic-budget-transfer-BGN';

const toEntry = (product: LevProduct, change: object = {}): Record<string, unknown> => {
  const { debtorAccount: _own, ...entry } = exampleBodies[product];
  return { ...entry, ...change };
};
const entry = (change: object = {}): Record<string, unknown> => toEntry(domestic, change);
const bulk = (payments: unknown, change: object = {}): Record<string, unknown> => ({
  debtorAccount: { iban: 'BG25XSBK92001000000001' },
  payments,
  ...change,
});
const validationFailures = (body: unknown, product: LevProduct = domestic, given = rules): string[] => {
  const result = validateBulk(product, body, given);
  return 'failures' in result ? result.failures.map(({ failure, path }) => `${failure} ${path ?? '-'}`) : [];
};
/** Creates `count` entries and applies the given changes to some of them. */
const many = (changes: Readonly<Record<number, object>> = {}, count = 250): unknown[] =>
  Array.from({ length: count }, (_, index) => entry(changes[index]));

describe('validation of a bulk payment body (contract 9)', () => {
  it('creates one order per entry, all from the same account', () => {
    const result = validateBulk(
      domestic,
      bulk([entry(), entry({ endToEndIdentification: undefined, creditorName: 'Other' })], {
        requestedExecutionDate: '2026-12-01',
        batchBookingPreferred: true,
        debtorAccount: { iban: 'BG25XSBK92001000000001', currency: 'BGN' },
      }),
      rules,
    );
    const order = {
      amount: { minor: 1250, currency: 'BGN' },
      debtorIban: 'BG25XSBK92001000000001',
      creditorAccount: 'BG26RZBB91551023456789',
      creditorName: 'Петър Иванов',
      remittance: 'Фактура 17',
    };
    expect(result).toEqual({
      valid: {
        orders: [
          { ...order, endToEndId: 'INV-2026-17' },
          { ...order, creditorName: 'Other' },
        ],
        paymentType: 'DOMESTIC',
        requestedExecutionDate: '2026-12-01',
        batchBookingPreferred: true,
        debtorCurrency: 'BGN',
      },
    });
  });

  it('selects entry-by-entry booking by default and allows duplicate endToEnd ids', () => {
    const result = validateBulk(domestic, bulk([entry(), entry()]), rules);
    expect('valid' in result && result.valid.batchBookingPreferred).toBe(false);
    expect('valid' in result && result.valid.requestedExecutionDate).toBeUndefined();
  });

  it.each(levProducts)(
    '%s: accepts domestic and budget payments and refuses other products with 403 PRODUCT_INVALID',
    (product) => {
      const isTaken = product === domestic || product === budget;
      const payments = [toEntry(product), toEntry(product)];
      expect(validationFailures(bulk(payments), product)).toEqual(isTaken ? [] : ['productWrong -']);
    },
  );

  it('refuses every bulk payment in a profile without bulk payments (spec 1.7)', () => {
    const inProduction = { ...rules, profile: makeProfile('production') };
    expect(validationFailures(bulk([entry(), entry()]), domestic, inProduction)).toEqual([
      'serviceNotOffered -',
    ]);
  });

  it.each<[string, unknown, string]>([
    ['debtorAccount', undefined, 'fieldMissing debtorAccount'],
    ['debtorAccount', 'BG25XSBK92001000000001', 'fieldMalformed debtorAccount'],
    ['debtorAccount', { iban: 'BG00' }, 'fieldMalformed debtorAccount.iban'],
    ['requestedExecutionDate', '2026-02-30', 'fieldMalformed requestedExecutionDate'],
    ['requestedExecutionDate', null, 'fieldMalformed requestedExecutionDate'],
    ['batchBookingPreferred', 'true', 'fieldMalformed batchBookingPreferred'],
    ['batchBookingPreferred', null, 'fieldMalformed batchBookingPreferred'],
    ['payments', undefined, 'fieldMissing payments'],
    ['payments', { 0: entry() }, 'fieldMalformed payments'],
    ['payments', [], 'fieldMalformed payments'],
    ['payments', [entry()], 'fieldMalformed payments'],
    ['payments', many({}, 251), 'fieldMalformed payments'],
    ['payments', [entry(), 7], 'fieldMalformed payments[1]'],
    ['payments', [null, entry()], 'fieldMalformed payments[0]'],
    ['creditorName', 'x', 'fieldUnknown creditorName'],
    ['startDate', '2026-12-01', 'fieldUnknown startDate'],
  ])('refuses %s with the value %j', (name, value, failure) => {
    expect(validationFailures(bulk([entry(), entry()], { [name]: value }))).toEqual([failure]);
  });

  it.each([bulkLimits.min, bulkLimits.max])('accepts %i payments', (count) => {
    expect(validationFailures(bulk(many({}, count)))).toEqual([]);
  });

  it.each(paymentFields.map((field) => [field.path, field.rules[domestic]]))(
    'treats payments[1].%s as %s, as in a single payment, except for account and date',
    (path, rule) => {
      const isOnce = path === 'debtorAccount' || path === 'requestedExecutionDate';
      const isTaken = rule !== 'n.a.' && !isOnce;
      expect(validationFailures(bulk([entry(), entry({ [path]: 7 })]))).toEqual([
        `${isTaken ? 'fieldMalformed' : 'fieldNotApplicable'} payments[1].${path}`,
      ]);
      expect(validationFailures(bulk([entry(), entry({ [path]: undefined })]))).toEqual(
        rule === 'mandatory' && !isOnce ? [`fieldMissing payments[1].${path}`] : [],
      );
    },
  );

  it('reports the errors of all entries together, each with its path, in order', () => {
    const faults = Object.fromEntries(
      Array.from({ length: 98 }, (_, index) => [
        index,
        index % 2 === 0 ? { creditorAccount: { iban: 'BG00' } } : { serviceLevel: 'SEPA' },
      ]),
    );
    expect(validationFailures({ payments: many(faults, 98), colour: 1 })).toEqual([
      'fieldMissing debtorAccount',
      ...Array.from({ length: 98 }, (_, index) =>
        index % 2 === 0
          ? `fieldMalformed payments[${index}].creditorAccount.iban`
          : `fieldMalformed payments[${index}].serviceLevel`,
      ),
      'fieldUnknown colour',
    ]);
  });

  it('lists the first 99 of many violations and, as the hundredth, how many were omitted', () => {
    const empty = bulk(Array.from({ length: 250 }, () => ({})));
    for (const [product, perEntry] of [
      [domestic, 5],
      [budget, 8],
    ] as const) {
      const result = validateBulk(product, empty, rules);
      const failures = 'failures' in result ? result.failures : [];
      expect(failures).toHaveLength(maxFailuresListed);
      expect(failures[98]?.path).toMatch(/^payments/);
      expect(failures.at(-1)).toEqual({
        failure: 'fieldMissing',
        text: `${250 * perEntry - 99} more violations were left out. Correct those listed first.`,
      });
    }
  });

  it('validates own accounts, budget accounts and purposes per entry, as in single payments', () => {
    const own = { creditorAccount: { bban: 'XSBK92001000000011' }, creditorAgent: 'RZBBBGSF' };
    expect(validationFailures(bulk(many({ 17: own })))).toEqual([
      'fieldMalformed payments[17].creditorAccount',
    ]);
    const wrong = toEntry(budget, { creditorAccount: { iban: 'BG26RZBB91551023456789' } });
    expect(validationFailures(bulk([toEntry(budget), wrong]), budget)).toEqual([
      'fieldMalformed payments[1].creditorAccount.iban',
    ]);
  });

  it('limits the total to 2^53 - 1 minor units', () => {
    const of = (amount: string) => entry({ instructedAmount: { currency: 'BGN', amount } });
    expect(validationFailures(bulk([of('90071992547409.90'), of('0.01')]))).toEqual([]);
    expect(validationFailures(bulk([of('90071992547409.90'), of('0.02')]))).toEqual([
      'fieldMalformed payments',
    ]);
    expect(validationFailures(bulk([of('90071992547409.90'), of('0.02'), of('x')]))).toEqual([
      'fieldMalformed payments',
      'fieldMalformed payments[2].instructedAmount.amount',
    ]);
  });

  it.each([null, [], 'x', 7])('refuses %j as a body', (submitted) => {
    expect(validationFailures(submitted)).toEqual(['bodyNotJson -']);
  });

  it('handles any JSON in any field without throwing', () => {
    const body = fc.oneof(
      fc.record({ payments: fc.array(fc.jsonValue(), { maxLength: 5 }) }),
      fc
        .record({ path: fc.constantFrom(...paymentFields.map(({ path }) => path)), value: fc.jsonValue() })
        .map(({ path, value }) => bulk([entry(), entry({ [path]: value })])),
    );
    fc.assert(
      fc.property(body, (submitted) => {
        const result = validateBulk(domestic, submitted, rules);
        expect('valid' in result || result.failures.length > 0).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the stages after the format checks, which cover all entries and stop at the first failing stage (contract 3, 9)', () => {
  const euro = { instructedAmount: { currency: 'EUR', amount: '1.00' } };
  const abroad = { creditorAccount: { iban: 'DE89370400440532013000' } };
  const toSelf = { creditorAccount: { iban: 'BG25XSBK92001000000001' } };
  const past = { requestedExecutionDate: '2026-11-19' };

  it.each<[string, readonly object[], object, readonly string[]]>([
    [
      'currency',
      [euro, {}, { ...euro, ...abroad }, abroad],
      past,
      [
        'currencyNotSupported payments[0].instructedAmount.currency',
        'currencyNotSupported payments[2].instructedAmount.currency',
      ],
    ],
    ['type', [abroad, toSelf, abroad], past, ['productWrong payments[0]', 'productWrong payments[2]']],
    ['execution date', [toSelf, {}], past, ['executionDateInvalid requestedExecutionDate']],
    [
      'accounts',
      [toSelf, {}, toSelf],
      {},
      ['sameAccount payments[0].creditorAccount', 'sameAccount payments[2].creditorAccount'],
    ],
  ])('%s', (_stage, changes, top, failures) => {
    expect(
      validationFailures(
        bulk(
          changes.map((change) => entry(change)),
          top,
        ),
      ),
    ).toEqual(failures);
  });

  it('do not run while an entry has a format error', () => {
    expect(validationFailures(bulk([entry(euro), entry({ serviceLevel: 'X' })], past))).toEqual([
      'fieldMalformed payments[1].serviceLevel',
    ]);
  });
});
