import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { planExecution } from '../payment/execution-day.js';
import { feeInHomeCurrency, type FeeRow } from '../payment/pricing/tariff.js';
import { makeProfile, profileJson } from '../testing/profiles.js';
import { isWeekendOrHoliday } from '../time/banking-days.js';
import { parsePriceList } from './price-list.js';
import { euroProducts } from '../payment/payment-products.js';

const [sandbox, production] = [makeProfile('bg-euro'), makeProfile('bg-euro-production')];
const day = 86_400;

describe('the euro profiles (contract E1.2)', () => {
  it('pay in EUR: the sandbox in nothing else, production in eleven other currencies', () => {
    expect(sandbox).toMatchObject({
      environment: 'sandbox',
      standard: 'euro',
      homeCurrency: 'EUR',
      currencies: ['EUR'],
      products: [...euroProducts],
      offers: ['recurring-payments', 'bulk-payments', 'signing-baskets', 'multilevel-sca'],
      payeeVerification: 'page',
      fees: [],
    });
    expect(sandbox.exchangeRates).toBeUndefined();
    expect(production).toMatchObject({
      environment: 'production',
      standard: 'euro',
      homeCurrency: 'EUR',
      currencies: 'EUR USD JPY CHF AUD CAD DKK HUF NOK SEK PLN RON'.split(' '),
      products: [...euroProducts],
      offers: [],
      payeeVerification: 'page',
      exchangeRates: { homeCurrency: 'EUR' },
    });
    expect([...(production.exchangeRates?.rates.keys() ?? [])]).toEqual(production.currencies.slice(1));
  });

  it('give consents 180 days; refresh tokens 24 hours in the sandbox and 180 days in production', () => {
    expect([sandbox.consentMaxDays, production.consentMaxDays]).toEqual([180, 180]);
    expect([sandbox.refreshTokenSeconds, production.refreshTokenSeconds]).toEqual([day, 180 * day]);
  });

  it('differ from the BGN profiles only in what the contract lists', () => {
    const differences = (euro: string, lev: string): string[] => {
      const [a, b] = [profileJson(`${euro}.json`), profileJson(`${lev}.json`)];
      return [...new Set([...Object.keys(a), ...Object.keys(b)])]
        .filter((field) => JSON.stringify(a[field]) !== JSON.stringify(b[field]))
        .sort();
    };
    const listed = ['consentMaxDays', 'currencies', 'eea', 'holidays', 'instant', 'levEnd', 'name'];
    expect(differences('bg-euro', 'sandbox')).toEqual([...listed, 'payeeVerification', 'products']);
    expect(differences('bg-euro-production', 'production')).toEqual(
      [
        ...listed,
        'payeeVerification',
        'products',
        'exchangeRates',
        'fees',
        'homeCurrency',
        'refreshTokenSeconds',
      ].sort(),
    );
  });

  it('settle on TARGET days: Bulgarian holidays are banking days (contract E1.3)', () => {
    const isClosed = (isoDate: string) => isWeekendOrHoliday(isoDate, production.holidays);
    expect(['2027-03-03', '2027-04-30'].map(isClosed)).toEqual([false, false]);
    expect(['2027-03-26', '2027-03-29', '2027-01-01', '2028-05-01'].map(isClosed)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(sandbox.holidays).toEqual(production.holidays);
    const plan = (profile: typeof sandbox) =>
      planExecution('2027-03-26', '2027-03-01T08:00:00.000Z', profile);
    expect(plan(production).executionDate).toBe('2027-03-30');
    expect(plan(sandbox).executionDate).toBe('2027-03-26');
  });

  it('have no cut-off in the sandbox, and one at 16:00 in production', () => {
    expect([sandbox.cutOff, production.cutOff]).toEqual([undefined, '16:00']);
    const late = '2027-03-25T14:00:00.000Z';
    expect(planExecution(undefined, late, production).executionDate).toBe('2027-03-30');
  });

  it('reach the EEA with instant transfers', () => {
    expect(production.instant?.countries).toEqual(production.eea.countries);
    expect([...production.eea.currencies]).not.toContain('BGN');
  });
});

describe('a euro profile is refused at start', () => {
  const { exchangeRates, fees } = profileJson('bg-euro-production.json');
  it.each<[string, object]>([
    ['currencies', { currencies: ['EUR', 'BGN'] }],
    ['homeCurrency', { homeCurrency: 'BGN', exchangeRates: {} }],
    [
      'exchangeRates.BGN',
      { exchangeRates: { ...Object(exchangeRates), BGN: { buy: '0.51', sell: '0.52' } } },
    ],
    [
      'fees',
      {
        fees: [
          ...Array.from(Object(fees)),
          { product: 'instant-SEPA-credit-transfer', fixed: '0.41' },
        ].reverse(),
      },
    ],
    ['fees.0.product', { fees: [{ product: 'domestic-credit-transfer-BGN', fixed: '0.40' }] }],
    ['products', { products: ['domestic-credit-transfer-BGN'] }],
    ['levEnd', { levEnd: '2026-02-30' }],
    ['payeeVerification', { payeeVerification: 'always' }],
    ['instant', { instant: undefined }],
  ])('with an error that names %s (contract E1.7)', (field, change) => {
    expect(() => makeProfile('bg-euro-production', change)).toThrow(`"${field}"`);
  });

  it.each(['levEnd', 'payeeVerification', 'instant'])('and a BGN profile if it has %s', (field) => {
    const value = profileJson('bg-euro.json')[field];
    expect(() => makeProfile('sandbox', { [field]: value })).toThrow(`"${field}"`);
  });

  it('only if an instant transfer of some amount costs more than a SEPA transfer', () => {
    const money = (cents: number): string =>
      `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
    interface RowDrawn {
      readonly fixed: number;
      readonly percent: string | undefined;
      readonly limits: [number, number] | undefined;
    }
    const cents = fc.integer({ min: 0, max: 300 });
    const row = fc.record({
      fixed: cents,
      percent: fc.constantFrom(undefined, '0.5', '1', '2', '50'),
      limits: fc.option(fc.tuple(cents, cents), { nil: undefined }),
    });
    const toJson = (product: string, { fixed, percent, limits }: RowDrawn) => ({
      product,
      fixed: money(fixed),
      ...(percent === undefined ? {} : { percent }),
      ...(limits === undefined
        ? {}
        : { least: money(Math.min(...limits)), most: money(Math.max(...limits)) }),
    });
    const amounts = [...Array.from({ length: 3000 }, (_, index) => index + 1), 10_000_000, 99_999_999_999];
    fc.assert(
      fc.property(row, row, (instant, sepa) => {
        const list = {
          ...profileJson('bg-euro-production.json'),
          fees: [toJson('SEPA-Credit-Transfer', sepa), toJson('instant-SEPA-credit-transfer', instant)],
        };
        const { fees: rows, exchangeRates: table } = parsePriceList(list, euroProducts);
        if (table === undefined) throw new Error('the profile has no rates');
        const price = (product: FeeRow['product'], minor: number) =>
          feeInHomeCurrency(
            { product, serviceLevel: 'SEPA', chargeBearer: 'SLEV', amount: { minor, currency: 'EUR' } },
            rows,
            table,
          );
        const isDearer = amounts.some(
          (minor) => price('instant-SEPA-credit-transfer', minor) > price('SEPA-Credit-Transfer', minor),
        );
        const start = () => makeProfile('bg-euro-production', { fees: list.fees });
        if (isDearer) expect(start).toThrow('"fees"');
      }),
    );
  });

  it.each([
    [{ fixed: '0.40' }, { fixed: '0.40' }],
    [{ fixed: '0.10', percent: '0.1', most: '0.40' }, { fixed: '0.40' }],
    [{ fixed: '0.00' }, { fixed: '0.00', percent: '0.1' }],
  ])('not for %j beside %j', (instant, sepa) => {
    const fees = [
      { product: 'instant-SEPA-credit-transfer', ...instant },
      { product: 'SEPA-Credit-Transfer', ...sepa },
    ];
    expect(makeProfile('bg-euro-production', { fees }).fees).toHaveLength(2);
  });
});
