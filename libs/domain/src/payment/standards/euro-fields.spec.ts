import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { makeProfile } from '../../testing/profiles.js';
import { paymentFields } from '../fields/payment-fields.js';
import { type EuroProduct, euroProducts } from '../payment-products.js';
import { validatePayment } from '../fields/validate-payment.js';
import { euroExampleBodies } from './euro-example-bodies.js';
import { euroFields } from './euro-fields.js';

/** Contract E2.2, row by row: budget, SEPA, instant, cross-border. */
const contractTable = `
  endToEndIdentification OOOO
  debtorAccount MMMM
  ultimateDebtor O---
  instructedAmount MMMM
  creditorAccount MMMM
  creditorAgent OOOO
  creditorAgentName ---O
  creditorAgentAddress ---O
  creditorName MMMM
  creditorAddress OOOM
  purposeCode O---
  chargeBearer OOOC
  remittanceInformationUnstructured CMMM
  serviceLevel OOOM
  budgetPaymentDetails C---
  debtorId ----
  transactionCurrency ----
  creditorId ----
  ultimateCreditor ----
  remittanceInformationUnstructuredArray ----
  remittanceInformationStructured ----
  requestedExecutionDate OOOO
  requestedExecutionTime ----`;
const columns = [
  'domestic-budget-transfer-EUR',
  'SEPA-Credit-Transfer',
  'instant-SEPA-credit-transfer',
  'cross-border-credit-transfer',
] as const satisfies readonly EuroProduct[];
const short = { mandatory: 'M', optional: 'O', conditional: 'C', 'n.a.': '-' } as const;

const rules = { profile: makeProfile('bg-euro-production'), today: '2026-11-20', ownBankCode: 'XSBK' };
/** Formats failures as `name path`. */
const failuresOf = (product: EuroProduct, change: object): string[] => {
  const result = validatePayment(product, { ...euroExampleBodies[product], ...change }, rules);
  return 'failures' in result ? result.failures.map(({ failure, path }) => `${failure} ${path ?? '-'}`) : [];
};
const texts = (product: EuroProduct, change: object): (string | undefined)[] => {
  const result = validatePayment(product, { ...euroExampleBodies[product], ...change }, rules);
  return 'failures' in result ? result.failures.map(({ text }) => text) : [];
};
const ofSepa = columns.filter((product) => product !== 'cross-border-credit-transfer');

describe('the field table in euro (contract E2.2)', () => {
  it('has the rule of the contract for every field and product, in the order of spec 2.4', () => {
    const rows = euroFields.map(
      ({ path, rules: all }) => `${path} ${columns.map((one) => short[all[one]]).join('')}`,
    );
    expect(rows).toEqual(contractTable.trim().split(/\n\s*/));
    expect(euroFields.map(({ type }) => type)).toEqual(paymentFields.map(({ type }) => type));
  });

  it.each(euroProducts)('takes a body with every element of the table: %s', (product) => {
    expect(failuresOf(product, {})).toEqual([]);
  });

  it.each(euroProducts)(
    'reports each mandatory field that is missing, and each that does not apply: %s',
    (product) => {
      const bodies = euroExampleBodies[product];
      for (const { path, rules: all } of euroFields) {
        if (all[product] === 'mandatory') {
          const { [path]: _field, ...rest } = bodies;
          const result = validatePayment(product, rest, rules);
          expect('failures' in result && result.failures[0]).toMatchObject({ failure: 'fieldMissing', path });
        }
        if (all[product] === 'n.a.')
          expect(failuresOf(product, { [path]: 'x' })).toEqual([`fieldNotApplicable ${path}`]);
      }
    },
  );

  it.each(ofSepa)('takes only SLEV and SEPA, and neither is needed: %s', (product) => {
    expect(failuresOf(product, { chargeBearer: undefined, serviceLevel: undefined })).toEqual([]);
    expect(failuresOf(product, { chargeBearer: 'SHAR' })).toEqual(['fieldMalformed chargeBearer']);
    expect(failuresOf(product, { serviceLevel: 'SDVA' })).toEqual(['fieldMalformed serviceLevel']);
  });

  it.each(ofSepa.flatMap((product) => [[product, 'NURG'] as const, [product, 'URGP'] as const]))(
    'says for %s that %s has to be left out (contract E2.3)',
    (product, serviceLevel) => {
      expect(failuresOf(product, { serviceLevel })).toEqual(['fieldMalformed serviceLevel']);
      expect(texts(product, { serviceLevel })[0]).toMatch(/^Leave this field out: BISERA .* RINGS/);
    },
  );

  it.each(['SDVA', 'NEXT', 'SPOT', 'URGP'])(
    'takes the service level %s across the border',
    (serviceLevel) => {
      expect(failuresOf('cross-border-credit-transfer', { serviceLevel })).toEqual([]);
    },
  );

  it('does not take BGN for a currency of the EEA (contract E2.3)', () => {
    const toGermany = {
      creditorAccount: { bban: '37040044' },
      creditorAgent: 'COBADEFF',
      chargeBearer: undefined,
    };
    const inCurrency = (currency: string) =>
      failuresOf('cross-border-credit-transfer', {
        ...toGermany,
        instructedAmount: { currency, amount: '1.00' },
      });
    expect(inCurrency('PLN')).toEqual([]);
    expect(inCurrency('BGN')).toEqual(['fieldMissing chargeBearer']);
  });

  it('asks for no purpose code and refuses none (contract E2.8)', () => {
    for (const text of ['Invoice', '101%%goods', '711%12%x', '999%%x'])
      for (const product of columns)
        expect(failuresOf(product, { remittanceInformationUnstructured: text })).toEqual([]);
  });
});

describe('the largest amount in euro (contract E2.4)', () => {
  const amountOf = (amount: string) => ({ instructedAmount: { currency: 'EUR', amount } });
  it.each(ofSepa)('is 999999999.99: %s', (product) => {
    expect(failuresOf(product, amountOf('999999999.99'))).toEqual([]);
    expect(failuresOf(product, amountOf('1000000000.00'))).toEqual([
      'fieldMalformed instructedAmount.amount',
    ]);
    expect(failuresOf(product, amountOf('1000000000'))).toEqual(['fieldMalformed instructedAmount.amount']);
  });

  it('has no such limit across the border', () => {
    expect(failuresOf('cross-border-credit-transfer', amountOf('1000000000.00'))).toEqual([]);
  });
});

/** A second, slow reading of contract E2.7: the paths of all violations, sorted. */
function slowAddress(address: Readonly<Record<string, unknown>>): string[] {
  const isText = (value: unknown, most: number): boolean =>
    typeof value === 'string' && value.trim() !== '' && [...value].length <= most;
  const found: string[] = [];
  if (address['townName'] === undefined || !isText(address['townName'], 35)) found.push('townName');
  if (address['country'] !== 'DE') found.push('country');
  if (address['streetName'] !== undefined && !isText(address['streetName'], 70)) found.push('streetName');
  if (address['buildingNumber'] !== undefined && !isText(address['buildingNumber'], 16))
    found.push('buildingNumber');
  if (address['postCode'] !== undefined && !isText(address['postCode'], 16)) found.push('postCode');
  const lines = address['addressLine'];
  if (lines !== undefined) {
    const hasBoth = address['streetName'] !== undefined || address['buildingNumber'] !== undefined;
    if (hasBoth || !Array.isArray(lines) || lines.length === 0 || lines.length > 2) found.push('addressLine');
    else lines.forEach((line, at) => (isText(line, 70) ? [] : found.push(`addressLine[${at}]`)));
  }
  for (const name of Object.keys(address)) if (name === 'district') found.push('district');
  return found.sort();
}

describe('addresses in euro (contract E2.7)', () => {
  const paths = (address: unknown, field = 'creditorAddress') =>
    failuresOf('cross-border-credit-transfer', { [field]: address });
  it.each<[string, object, string[]]>([
    ['town and country', { townName: 'Bonn', country: 'DE' }, []],
    ['a hybrid one', { addressLine: ['Am Tor 1', '2. Stock'], townName: 'Bonn', country: 'DE' }, []],
    ['no town', { country: 'DE' }, ['fieldMissing creditorAddress.townName']],
    ['no country', { townName: 'Bonn' }, ['fieldMissing creditorAddress.country']],
    [
      'both forms',
      { addressLine: ['Am Tor 1'], streetName: 'Am Tor', townName: 'Bonn', country: 'DE' },
      ['fieldMalformed creditorAddress.addressLine'],
    ],
    [
      'an unstructured one',
      { addressLine: ['Am Tor 1', '53111 Bonn'] },
      ['fieldMissing creditorAddress.townName', 'fieldMissing creditorAddress.country'],
    ],
    [
      'three lines',
      { addressLine: ['1', '2', '3'], townName: 'Bonn', country: 'DE' },
      ['fieldMalformed creditorAddress.addressLine'],
    ],
  ])('%s: %j', (_title, address, expected) => {
    expect(paths(address)).toEqual(expected);
  });

  it('are refused with the name of every mandatory member if they are no objects', () => {
    const hints = texts('SEPA-Credit-Transfer', { creditorAddress: 'Am Tor 1, 53111 Bonn' });
    expect(hints).toEqual(['Send an object with townName and country.']);
  });

  it('have the same rules for the bank of the creditor', () => {
    const bank = {
      creditorAccount: { bban: '12' },
      creditorAgent: undefined,
      creditorAgentName: 'Bank',
    };
    const withAddress = (creditorAgentAddress: object) =>
      failuresOf('cross-border-credit-transfer', { ...bank, creditorAgentAddress });
    expect(withAddress({ townName: 'Ankara', country: 'TR' })).toEqual([]);
    expect(withAddress({ country: 'TR' })).toEqual(['fieldMissing creditorAgentAddress.townName']);
  });

  it('are refused exactly where a slow reading of the contract refuses them', () => {
    const text = fc.constantFrom(
      undefined,
      '',
      'x',
      'x'.repeat(16),
      'я'.repeat(17),
      'y'.repeat(35),
      'z'.repeat(36),
      '😀'.repeat(70),
      'w'.repeat(71),
      7,
    );
    const address = fc.record({
      streetName: text,
      buildingNumber: text,
      townName: text,
      postCode: text,
      addressLine: fc.oneof(fc.constant(undefined), fc.array(text, { maxLength: 3 }), fc.constant('x')),
      country: fc.constantFrom('DE', undefined, 'ZZ'),
      district: fc.constantFrom(undefined, 'x'),
    });
    fc.assert(
      fc.property(address, (drawn) => {
        const sent: Record<string, unknown> = JSON.parse(JSON.stringify(drawn));
        const found = paths(sent).map((line) => line.split('creditorAddress.')[1]);
        expect(found.sort()).toEqual(slowAddress(sent));
      }),
      { numRuns: 500 },
    );
  });
});
