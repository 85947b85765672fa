import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '../../testing/profiles.js';
import { chargeBearersByProduct, serviceLevelsByProduct } from './code-tables.js';
import { exampleBodies } from '../example-bodies.js';
import { type FieldType, type PaymentField, paymentFields } from './payment-fields.js';
import { type LevProduct, levProducts } from '../payment-products.js';
import { validatePayment } from './validate-payment.js';

const rules = { profile: makeProfile('production'), today: '2026-11-20', ownBankCode: 'XSBK' };
/** Formats failures as `name path`. */
const validationFailures = (product: LevProduct, change: object): string[] => {
  const result = validatePayment(product, { ...exampleBodies[product], ...change }, rules);
  return 'failures' in result ? result.failures.map(({ failure, path }) => `${failure} ${path ?? '-'}`) : [];
};

/** The kinds of values tested in every field of every product (spec 2.4, contract 3 and 8). */
const kinds = ['wrong type', 'wrong form', 'too long by one', 'hostile text', 'at the limit'] as const;
type Kind = (typeof kinds)[number];
type Values = Readonly<Record<Kind, (product: LevProduct) => readonly unknown[]>>;

const notText: readonly unknown[] = [7, true, null, [], {}, ['x']];
const notObject: readonly unknown[] = ['x', '', 7, true, null, [], [{}]];
/** Text that could hide or reorder what the PSU reads, or that is not allowed in JSON text (contract 3). */
const hostile: readonly string[] = [
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
const harmless = 'Ivan\'s <b>& "co" %00 \' OR 1=1 -- ${x}';

const always = (values: readonly unknown[]) => (): readonly unknown[] => values;
/** Puts the same text into a text field, or into each text member of an object. */
const inMembers =
  (base: object, ...names: readonly string[]) =>
  (texts: readonly unknown[]): readonly unknown[] =>
    names.flatMap((name) => texts.map((text) => ({ ...base, [name]: text })));

const makeText = (max: number): Values => ({
  'wrong type': always(notText),
  'wrong form': always(['', ' ']),
  'too long by one': always(['x'.repeat(max + 1), '😀'.repeat(max + 1), 'я'.repeat(max + 1)]),
  'hostile text': always(hostile),
  'at the limit': always(['x', 'я'.repeat(max), '😀'.repeat(max), harmless.slice(0, max)]),
});
const makeCode = (admitted: (product: LevProduct) => readonly string[]): Values => ({
  'wrong type': always(notText),
  'wrong form': (product) => ['', ' ', 'XXXX', ...admitted(product).map((code) => code.toLowerCase())],
  'too long by one': (product) => admitted(product).flatMap((code) => [`${code}X`, `${code} `]),
  'hostile text': always(hostile),
  'at the limit': admitted,
});

/**
 * Builds an IBAN with valid check digits for a country and a BBAN, computed with BigInt independently of the code
 * under test (ISO 7064).
 */
const makeIban = (country: string, bban: string): string => {
  const digits = [...`${bban}${country}00`].map((one) => Number.parseInt(one, 36)).join('');
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${bban}`;
};
const ibans: Readonly<Record<LevProduct, readonly string[]>> = {
  'domestic-credit-transfer-BGN': ['BG26RZBB91551023456789', makeIban('BG', 'RZBB915510ABCDEF12')],
  'domestic-budget-transfer-BGN': ['BG88BNBG96618000195001', 'BG39BNBG96613100195002'],
  'SEPA-Credit-Transfer': [makeIban('NO', '86011117947'), makeIban('MT', 'MALT01100001234567890123456')],
  'cross-border-credit-transfer': [
    makeIban('RU', '04452522540817810538091310419'),
    makeIban('LC', 'HEMM000100010012001200023015'),
  ],
};
const wrongIbans = [
  '',
  'BG25 XSBK 9200 1000 0000 01',
  'bg25xsbk92001000000001',
  'BG00RZBB91551023456789',
  'BG26',
  'ZZ26RZBB91551023456789',
];
const ibanValues = (admitted: (product: LevProduct) => readonly unknown[]): Values => ({
  'wrong type': always([
    ...notObject,
    {},
    ...inMembers({}, 'iban')(notText),
    ...inMembers({ iban: 'BG26RZBB91551023456789' }, 'currency', 'cashAccountType')(notText),
  ]),
  'wrong form': always([
    ...inMembers({}, 'iban')(wrongIbans),
    { iban: 'BG26RZBB91551023456789', owner: 'x' },
    ...inMembers({ iban: 'BG26RZBB91551023456789' }, 'currency')(['', 'bgn', 'BG', '975']),
    ...inMembers({ iban: 'BG26RZBB91551023456789' }, 'cashAccountType')(['', 'cacc', 'CAC']),
  ]),
  'too long by one': always([
    { iban: 'BG26RZBB915510234567890' },
    { iban: makeIban('BG', 'RZBB9155102345678901') },
    { iban: 'BG26RZBB91551023456789', currency: 'BGNN' },
    { iban: 'BG26RZBB91551023456789', cashAccountType: 'CACCX' },
  ]),
  'hostile text': always([
    ...inMembers({}, 'iban')([...hostile, ...hostile.map((text) => `BG26RZBB91551023456789${text}`)]),
    ...inMembers({ iban: 'BG26RZBB91551023456789' }, 'currency', 'cashAccountType')(hostile),
  ]),
  'at the limit': admitted,
});

const details = { regulatoryReportType: '1', obligedPersonName: 'Иван Петров' };
const budgetMembers = [
  'regulatoryReportType',
  'documentNumber',
  'documentDate',
  'taxpayerId',
  'taxpayerType',
  'paymentCategory',
  'fromDate',
  'endDate',
  'obligedPersonName',
] as const;
const addressTexts = inMembers({ country: 'BG' }, 'streetName', 'buildingNumber', 'townName', 'postCode');
const amountIn = (currency: unknown) => (amount: unknown) => ({ currency, amount });
const currencyOfProduct = (product: LevProduct): string =>
  product === 'SEPA-Credit-Transfer' ? 'EUR' : 'BGN';

/**
 * Values of each field type in spec 2.4 that must be refused or accepted. Types that are n.a. for every product
 * have no row.
 */
const valuesByType: Readonly<Partial<Record<FieldType, Values>>> = {
  Max35Text: makeText(35),
  Max70Text: makeText(70),
  Max140Text: makeText(140),
  DebtorAccount: ibanValues(
    always([{ iban: 'BG95XSBK92001000000002' }, { iban: 'BG95XSBK92001000000002', currency: 'BGN' }]),
  ),
  CreditorAccount: ibanValues((product) => [
    ...ibans[product].map((iban) => ({ iban })),
    ...(product === 'cross-border-credit-transfer'
      ? [
          { bban: 'a' },
          { bban: '1'.repeat(30) },
          ...inMembers({}, 'identification')(['я', 'x'.repeat(35)]).map((other) => ({ other })),
        ]
      : []),
  ]),
  Amount: {
    'wrong type': always([
      ...notObject,
      {},
      ...notText.map(amountIn('BGN')),
      ...notText.map((currency) => ({ currency, amount: '1' })),
    ]),
    'wrong form': always([
      ...[
        '',
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
        '1.0001',
        '1.001',
        'NaN',
        '0x1',
      ].map(amountIn('BGN')),
      ...['bgn', 'BG', '', '975'].map((currency) => ({ currency, amount: '1' })),
      { currency: 'BGN', amount: '1', unit: 'x' },
    ]),
    'too long by one': always([
      amountIn('BGN')('100000000000000'),
      amountIn('BGN')('90071992547409.92'),
      amountIn('BGN')('1.000'),
      amountIn('BGNN')('1'),
    ]),
    'hostile text': always([
      ...hostile.map(amountIn('BGN')),
      ...hostile.map((text) => amountIn('BGN')(`1.00${text}`)),
      ...hostile.map((text) => amountIn(`BGN${text}`)('1')),
    ]),
    'at the limit': (product) =>
      ['0.01', '0.1', '1', '90071992547409.91'].map(amountIn(currencyOfProduct(product))),
  },
  BICFI: {
    'wrong type': always(notText),
    'wrong form': always(['', 'RZBBBGS', 'RZBBBGSFX', 'rzbbbgsf', 'RZBBZZSF', 'RZBB BGSF', '1ZBBBGSF']),
    'too long by one': always(['RZBBBGSFXXXX', 'RZBBBGSF ']),
    'hostile text': always([...hostile, ...hostile.map((text) => `RZBBBGSF${text}`)]),
    'at the limit': always(['DEUTDEFF', 'DEUTDEFF500']),
  },
  Address: {
    'wrong type': always([...notObject, ...addressTexts(notText), ...inMembers({}, 'country')(notText)]),
    'wrong form': always([
      {},
      { country: 'bg' },
      { country: 'ZZ' },
      { country: '' },
      { country: 'BG', planet: 'x' },
      ...addressTexts(['', ' ']),
    ]),
    'too long by one': always([{ country: 'BGR' }, ...addressTexts(['x'.repeat(71), '😀'.repeat(71)])]),
    'hostile text': always([...addressTexts(hostile), ...inMembers({}, 'country')(hostile)]),
    'at the limit': always([
      { country: 'FR' },
      ...addressTexts(['x', 'я'.repeat(70), '😀'.repeat(70), harmless]),
    ]),
  },
  PurposeCode: makeCode(() => ['GOVT']),
  ChargeBearerCode: makeCode((product) => chargeBearersByProduct[product]),
  ServiceLevelCode: makeCode((product) => serviceLevelsByProduct[product]),
  BudgetPaymentDetails: {
    'wrong type': always([...notObject, ...inMembers(details, ...budgetMembers)(notText)]),
    'wrong form': always([
      {},
      { regulatoryReportType: '1' },
      { obligedPersonName: 'Иван Петров' },
      ...inMembers(details, 'regulatoryReportType')(['', '0', '7', '8']),
      ...inMembers(details, 'taxpayerType')(['', 'egn', 'LNC']),
      ...inMembers(details, 'paymentCategory')(['', '110001', '11000']),
      ...inMembers(details, 'taxpayerId')(['', '123456789', '12345678x0', '١٢٣٤٥٦٧٨٩٠']),
      ...inMembers(details, 'documentDate', 'fromDate', 'endDate')(['', '2026-02-30', '01.02.2026']),
      { ...details, fromDate: '2026-02-01', endDate: '2026-01-31' },
      { ...details, taxpayerId: '1234567890', taxPayerId: '1234567890' },
    ]),
    'too long by one': always([
      ...inMembers(details, 'documentNumber')(['x'.repeat(36)]),
      ...inMembers(details, 'obligedPersonName')(['я'.repeat(71)]),
      ...inMembers(details, 'taxpayerId')(['12345678901']),
      ...inMembers(details, 'regulatoryReportType')(['11']),
      ...inMembers(details, 'taxpayerType')(['EGNN']),
      ...inMembers(details, 'paymentCategory')(['1100000']),
      ...inMembers(details, 'documentDate', 'fromDate', 'endDate')(['2026-11-011']),
    ]),
    'hostile text': always(inMembers(details, ...budgetMembers)(hostile)),
    'at the limit': always([
      ...inMembers(details, 'documentNumber')(['x', '😀'.repeat(35)]),
      ...inMembers(details, 'obligedPersonName')(['x', 'я'.repeat(70)]),
      ...inMembers(details, 'taxpayerId', 'taxPayerId')(['0000000000']),
      ...inMembers(details, 'regulatoryReportType')(['1', '2', '3', '4', '5', '6', '9']),
      ...inMembers(details, 'taxpayerType', 'taxPayerType')(['EGN', 'EIK', 'PNF']),
      ...inMembers(details, 'paymentCategory')(['110000', '551111', '561111', '581111']),
      { ...details, fromDate: '2026-01-01', endDate: '2026-01-01' },
    ]),
  },
  ISODate: {
    'wrong type': always(notText),
    'wrong form': always(['', '2026-02-30', '2026-13-01', '26-12-01', '2026-12-1', '20261201', '0000-01-01']),
    'too long by one': always(['2026-12-011', '12026-12-01', '2026-12-01 ', '2026-12-01T00:00:00Z']),
    'hostile text': always([...hostile, ...hostile.map((text) => `2026-12-01${text}`), '２０２６-12-01']),
    'at the limit': always(['2026-11-20', '2028-02-29', '9999-12-31']),
  },
};

const isPurposeText = (product: LevProduct, path: string): boolean =>
  path === 'remittanceInformationUnstructured' &&
  ['SEPA-Credit-Transfer', 'cross-border-credit-transfer'].includes(product);
/**
 * Puts a purpose code in front of the remittance text of a SEPA or cross-border payment, as the product requires;
 * an invalid text remains invalid.
 */
const placed = (product: LevProduct, path: string, value: unknown, kind: Kind): unknown => {
  if (!isPurposeText(product, path) || typeof value !== 'string') return value;
  return kind === 'at the limit' ? [...`101%%${value}`].slice(0, 140).join('') : `101%%${value}`;
};
/**
 * The name and address of the creditor’s bank are allowed only for an account without IBAN and BIC, so the other
 * fields must be changed to match.
 */
const besides = (path: string): object =>
  ['creditorAgentName', 'creditorAgentAddress'].includes(path)
    ? {
        creditorAccount: { bban: '12345' },
        creditorAgent: undefined,
        creditorAgentName: 'Bank',
        creditorAgentAddress: { country: 'US' },
      }
    : {};

const findFields = (product: LevProduct, ...wanted: readonly string[]): PaymentField[] =>
  paymentFields.filter((field) => wanted.includes(field.rules[product]));

/** All test values of one kind for one product, each with its path. */
const listCases = (product: LevProduct, kind: Kind): (readonly [path: string, value: unknown])[] =>
  findFields(product, 'mandatory', 'optional', 'conditional').flatMap(({ path, type }) => {
    const values = valuesByType[type]?.[kind](product) ?? [];
    // A 140-character text becomes too long with a purpose code in front, because the code counts towards the
    // 140 characters.
    return values.map((value) => [path, placed(product, path, value, kind)] as const);
  });

describe.each(levProducts)('%s: validation of every field (spec 2.4, contract 3)', (product) => {
  const taken = findFields(product, 'mandatory', 'optional', 'conditional');
  const refusing = kinds
    .filter((kind) => kind !== 'at the limit')
    .map((kind) => ({ kind, cases: listCases(product, kind) }));
  const fitting = listCases(product, 'at the limit');
  const foreign = findFields(product, 'n.a.').flatMap(({ path }) =>
    ['x', '', 0, null, false, [], {}, '2026-12-01', 'a\u202eb'].map((value) => [path, value] as const),
  );

  it('accepts the example body', () => {
    expect(validationFailures(product, {})).toEqual([]);
  });

  it(`reports each of ${taken.length} fields correctly if it is absent`, () => {
    for (const { path, rules } of taken)
      expect([path, validationFailures(product, { [path]: undefined })]).toEqual([
        path,
        rules[product] === 'optional' ? [] : [`fieldMissing ${path}`],
      ]);
  });

  it.each(refusing.map(({ kind, cases }): [string, number, typeof cases] => [kind, cases.length, cases]))(
    'names only the invalid field in the error: %s, %i values',
    (_kind, _count, cases) => {
      expect(new Set(cases.map(([path]) => path)).size).toBe(taken.length);
      for (const [path, value] of cases) {
        const failures = validationFailures(product, { ...besides(path), [path]: value });
        const places = failures.map((failure) => failure.split(' ')[1] ?? '');
        const isOwn = places.length > 0 && places.every((one) => one === path || one.startsWith(`${path}.`));
        expect([path, value, failures, isOwn]).toEqual([path, value, failures, true]);
      }
    },
  );

  it(`accepts ${fitting.length} values at the limit`, () => {
    expect(new Set(fitting.map(([path]) => path)).size).toBe(taken.length);
    for (const [path, value] of fitting)
      expect([path, value, validationFailures(product, { ...besides(path), [path]: value })]).toEqual([
        path,
        value,
        [],
      ]);
  });

  it(`refuses ${foreign.length} values of any kind in fields that do not apply`, () => {
    for (const [path, value] of foreign)
      expect(validationFailures(product, { [path]: value })).toEqual([`fieldNotApplicable ${path}`]);
  });
});

it('limits the remittance text to 140 characters, including the purpose code', () => {
  for (const product of ['SEPA-Credit-Transfer', 'cross-border-credit-transfer'] as const) {
    const path = 'remittanceInformationUnstructured';
    expect(validationFailures(product, { [path]: `101%%${'x'.repeat(135)}` })).toEqual([]);
    expect(validationFailures(product, { [path]: `101%%${'x'.repeat(136)}` })).toEqual([
      `fieldMalformed ${path}`,
    ]);
  }
});
