import { describe, expect, it } from '@jest/globals';
import { profileOf } from '../testing/profiles.js';
import { type FieldType, type PaymentField, paymentFields } from './payment-fields.js';
import { type PaymentProduct, paymentProducts } from './payment-products.js';
import { exampleBodies } from './example-bodies.js';
import { validatePayment } from './validate-payment.js';

const rules = {
  profile: profileOf('production'),
  today: '2026-11-20',
  ownBankCode: 'XSBK',
};
/** Failures as `name path`. */
const told = (product: PaymentProduct, change: object): string[] => {
  const result = validatePayment(product, { ...exampleBodies[product], ...change }, rules);
  return 'failures' in result ? result.failures.map(({ failure, path }) => `${failure} ${path ?? '-'}`) : [];
};

const notText: readonly unknown[] = [7, true, null, [], {}, ['x']];
const notObject: readonly unknown[] = ['x', 7, true, null, [], [{}]];
/** Text that could hide or reorder what the PSU reads, or that no JSON text should be (contract 3). */
const hostile: readonly string[] = [
  '',
  ' ',
  'a\u0000b',
  'a\tb',
  'a\nb',
  'a\u007fb',
  'a\u0085b',
  'a\u200bb',
  'a\u200db',
  'a\u202eb',
  'a\u2066b',
  'a\u2028b',
  'a\u061cb',
  'a\ufeffb',
  'a\ufffeb',
  'a\ud800b',
  'a\udc00',
  '\u{e0041}x',
];
const textOf = (max: number) => ({
  wrong: [...notText, ...hostile, 'x'.repeat(max + 1), '😀'.repeat(max + 1)],
  fits: ['x', 'я'.repeat(max), '😀'.repeat(max), 'Ivan\'s <b>& "co" %00 \' OR 1=1 --'.slice(0, max)],
});

interface Values {
  readonly wrong: readonly unknown[];
  readonly fits: readonly unknown[];
}
/** What each type of spec 2.4 refuses and admits, whatever the product. */
const valuesOf: Readonly<Partial<Record<FieldType, Values>>> = {
  Max35Text: textOf(35),
  Max70Text: textOf(70),
  Max140Text: textOf(140),
  DebtorAccount: {
    wrong: [
      ...notObject,
      {},
      { bban: '1' },
      { iban: 'BG25 XSBK 9200 1000 0000 01' },
      { iban: 'bg25xsbk92001000000001' },
    ],
    fits: [{ iban: 'BG95XSBK92001000000002' }],
  },
  CreditorAccount: {
    wrong: [
      ...notObject,
      {},
      { iban: 7 },
      { iban: 'BG00RZBB91551023456789' },
      { iban: 'BG26RZBB9155102345678' },
      { iban: null },
    ],
    fits: [],
  },
  Amount: {
    wrong: [
      ...notObject,
      {},
      ...[
        '0',
        '0.00',
        '-1',
        '+1',
        '1,00',
        '01.00',
        '1.',
        '.5',
        '1e3',
        ' 1',
        '1 ',
        '١',
        '100000000000000',
        '1.0001',
        1,
        null,
      ].map((amount) => ({ currency: 'BGN', amount })),
      ...['bgn', 'BG', 'BGNN', '', 975, null].map((currency) => ({ currency, amount: '1' })),
    ],
    fits: [],
  },
  BICFI: {
    wrong: [...notText, '', 'RZBBBGS', 'RZBBBGSFX', 'rzbbbgsf', 'RZBBBGSFXXXX', 'RZBBZZSF', 'RZBB BGSF'],
    fits: ['DEUTDEFF', 'DEUTDEFF500'],
  },
  Address: {
    wrong: [
      ...notObject,
      {},
      { country: 'bg' },
      { country: 'ZZ' },
      { country: 'BG', streetName: 'x'.repeat(71) },
      { country: 'BG', townName: '\u202e' },
    ],
    fits: [{ country: 'FR' }, { country: 'BG', streetName: 'я'.repeat(70), postCode: '1000' }],
  },
  PurposeCode: { wrong: [...notText, '', 'govt', 'SALA', 'GOVT '], fits: ['GOVT'] },
  ChargeBearerCode: { wrong: [...notText, '', 'shar', 'OUR'], fits: [] },
  ServiceLevelCode: { wrong: [...notText, '', 'nurg', 'URGENT'], fits: [] },
  BudgetPaymentDetails: {
    wrong: [...notObject, {}, { regulatoryReportType: '1' }, { obligedPersonName: 'Иван Петров' }],
    fits: [{ regulatoryReportType: '9', obligedPersonName: 'я'.repeat(70) }],
  },
  ISODate: {
    wrong: [
      ...notText,
      '',
      '2026-02-30',
      '2026-13-01',
      '26-12-01',
      '2026-12-1',
      '20261201',
      '2026-12-01T00:00:00Z',
    ],
    fits: ['2026-11-20', '2028-02-29'],
  },
};

const purpose = (product: PaymentProduct, path: string): boolean =>
  path === 'remittanceInformationUnstructured' &&
  ['SEPA-Credit-Transfer', 'cross-border-credit-transfer'].includes(product);
/** Payment texts of SEPA and cross-border payments begin with a purpose code, within the same length. */
const fitting = (product: PaymentProduct, path: string, value: unknown): unknown =>
  purpose(product, path) && typeof value === 'string' ? [...`101%%${value}`].slice(0, 140).join('') : value;

type Cell = [product: PaymentProduct, path: string, field: PaymentField];
const cellsWith = (...wanted: readonly string[]): Cell[] =>
  paymentProducts.flatMap((product) =>
    paymentFields
      .filter(({ rules }) => wanted.includes(rules[product]))
      .map((field): Cell => [product, field.path, field]),
  );

describe('field × product (spec 2.4)', () => {
  it.each(paymentProducts)('%s: the example is right', (product) => {
    expect(told(product, {})).toEqual([]);
  });

  it.each(cellsWith('mandatory'))('%s: without %s it is refused', (product, path) => {
    expect(told(product, { [path]: undefined })).toEqual([`fieldMissing ${path}`]);
  });

  it.each(cellsWith('optional'))('%s: %s may be left out', (product, path) => {
    expect(told(product, { [path]: undefined })).toEqual([]);
  });

  it.each(cellsWith('n.a.'))('%s: %s does not apply, whatever it holds', (product, path) => {
    for (const value of ['x', '', 0, null, false, [], {}, '2026-12-01'])
      expect(told(product, { [path]: value })).toEqual([`fieldNotApplicable ${path}`]);
  });

  it.each(cellsWith('mandatory', 'optional', 'conditional'))(
    '%s: %s refuses each wrong type, length and hostile text, and names itself alone',
    (product, path, { type }) => {
      const { wrong } = valuesOf[type] ?? { wrong: [] };
      expect(wrong.length).toBeGreaterThan(3);
      for (const value of wrong) {
        const paths = told(product, { [path]: value }).map((failure) => failure.split(' ')[1]);
        expect(paths.length > 0 && paths.every((one) => one === path || one?.startsWith(`${path}.`))).toBe(
          true,
        );
      }
    },
  );

  it.each(cellsWith('mandatory', 'optional', 'conditional'))(
    '%s: %s takes values up to their limit',
    (product, path, { type }) => {
      // A name or address of the creditor’s bank stands only beside an account without IBAN and BIC.
      const bank = ['creditorAgentName', 'creditorAgentAddress'].includes(path)
        ? {
            creditorAccount: { bban: '12345' },
            creditorAgent: undefined,
            creditorAgentName: 'Bank',
            creditorAgentAddress: { country: 'US' },
          }
        : {};
      for (const value of valuesOf[type]?.fits ?? [])
        expect(told(product, { ...bank, [path]: fitting(product, path, value) })).toEqual([]);
    },
  );

  it('one text too long by a single code point is refused beside its purpose code too', () => {
    for (const product of ['SEPA-Credit-Transfer', 'cross-border-credit-transfer'] as const) {
      const path = 'remittanceInformationUnstructured';
      expect(told(product, { [path]: `101%%${'x'.repeat(135)}` })).toEqual([]);
      expect(told(product, { [path]: `101%%${'x'.repeat(136)}` })).toEqual([`fieldMalformed ${path}`]);
    }
  });
});
