import { describe, expect, it } from '@jest/globals';
import { debtorAccountFailure } from '../../account/debtor-account.js';
import { makeProfile } from '../../testing/profiles.js';
import { exampleBodies } from '../example-bodies.js';
import type { PaymentOrder } from '../payment-events.js';
import type { LevProduct } from '../payment-products.js';
import { futureExchangeFailure, priceOrder, tooLargeFailure, computeTotalDebit } from './price-order.js';

const production = makeProfile('production');
const order: PaymentOrder = {
  amount: { minor: 100_000, currency: 'BGN' },
  debtorIban: 'BG25XSBK92001000000001',
  creditorAccount: 'BG26RZBB91551023456789',
  creditorName: 'P',
  remittance: 'r',
};
const priced = (
  product: LevProduct,
  change: { readonly currency?: string; readonly body?: object; readonly account?: string } = {},
): PaymentOrder =>
  priceOrder(
    { ...order, amount: { ...order.amount, currency: change.currency ?? 'BGN' } },
    { product, body: { ...exampleBodies[product], ...change.body } },
    change.account ?? 'BGN',
    production,
  );

describe('fees by product and charge bearer (spec 1.8)', () => {
  it.each<[LevProduct, object, number]>([
    ['domestic-credit-transfer-BGN', { serviceLevel: 'NURG' }, 80],
    ['domestic-credit-transfer-BGN', { serviceLevel: 'URGP' }, 1000],
    ['domestic-budget-transfer-BGN', { serviceLevel: 'NURG' }, 80],
    ['SEPA-Credit-Transfer', {}, 80],
    // 5.00 + 0.1 % of 1,000.00 is 6.00, which is below the minimum of 20.00.
    ['cross-border-credit-transfer', { chargeBearer: 'SHAR' }, 2000],
    ['cross-border-credit-transfer', { chargeBearer: undefined }, 2000],
    ['cross-border-credit-transfer', { chargeBearer: 'DEBT' }, 5000],
    ['cross-border-credit-transfer', { chargeBearer: 'CRED' }, 0],
  ])('for %s with %j are %d stotinki', (product, body, minor) => {
    expect(priced(product, { body }).fee).toEqual({ minor, currency: 'BGN' });
  });

  it('are a percentage limited by a minimum and a maximum', () => {
    const product = 'cross-border-credit-transfer';
    const computeFee = (minor: number): number | undefined =>
      priceOrder(
        { ...order, amount: { minor, currency: 'BGN' } },
        { product, body: exampleBodies[product] },
        'BGN',
        production,
      ).fee?.minor;
    // 5.00 + 0.1 % of 30,000.00 = 35.00. For 1,000,000.00 the result would be 1,005.00, but the maximum is
    // 250.00.
    expect([computeFee(3_000_000), computeFee(100_000_000)]).toEqual([3500, 25_000]);
  });

  it('are charged in the currency of the account', () => {
    const { fee, debit } = priced('SEPA-Credit-Transfer', { currency: 'EUR', account: 'EUR' });
    expect(fee).toEqual({ minor: 41, currency: 'EUR' });
    expect(debit).toBeUndefined();
  });

  it('leave the order unchanged in the sandbox profile, which has no tariff', () => {
    const product = 'domestic-credit-transfer-BGN';
    const submitted = { product, body: exampleBodies[product] } as const;
    expect(priceOrder(order, submitted, 'BGN', makeProfile('sandbox'))).toBe(order);
  });
});

describe('an amount in a currency other than that of the account (spec 1.4, 1.5; contract 8)', () => {
  const dollars = { ...order, amount: { minor: 10_000, currency: 'USD' } };
  const facts = {
    iban: order.debtorIban,
    currency: 'BGN',
    type: 'CACC',
    status: 'enabled',
    internetBanking: true,
    signaturesRequired: 1,
  } as const;

  it('is converted at the rate of the bank, and the fee is added to the total', () => {
    const result = priced('cross-border-credit-transfer', { currency: 'USD', account: 'BGN' });
    expect(result).toMatchObject({ debit: { minor: 173_000, currency: 'BGN' }, rate: '1.73' });
    expect(computeTotalDebit(result)).toEqual({ minor: 173_000 + (result.fee?.minor ?? 0), currency: 'BGN' });
  });

  it('is refused if the total including the fee is too large to compute exactly', () => {
    const maxAmount = { minor: Number.MAX_SAFE_INTEGER, currency: 'BGN' };
    expect(tooLargeFailure({ amount: maxAmount })).toBeUndefined();
    expect(tooLargeFailure({ amount: maxAmount, fee: { minor: 1, currency: 'BGN' } })).toMatchObject({
      failure: 'fieldMalformed',
      path: 'instructedAmount.amount',
    });
    const almost = { minor: Number.MAX_SAFE_INTEGER - 1, currency: 'BGN' };
    expect(tooLargeFailure({ amount: almost, fee: { minor: 1, currency: 'BGN' } })).toBeUndefined();
  });

  it('can be paid in production but not in the sandbox', () => {
    expect(debtorAccountFailure(facts, dollars, production)).toBeUndefined();
    expect(debtorAccountFailure(facts, dollars, makeProfile('sandbox'))?.failure).toBe(
      'debtorAccountUnusable',
    );
  });

  it('is refused if the currency of the account has changed since the amount was priced', () => {
    const result = { ...dollars, debit: { minor: 17_300, currency: 'BGN' } };
    expect(debtorAccountFailure(facts, result, production)).toBeUndefined();
    expect(debtorAccountFailure({ ...facts, currency: 'EUR' }, result, production)?.failure).toBe(
      'debtorAccountUnusable',
    );
  });

  it.each([
    [undefined, undefined],
    ['2026-11-20', undefined],
    ['2026-11-21', 'executionDateInvalid'],
  ])('is refused for a future execution date: %s results in %s', (date, failure) => {
    const debit = { minor: 1, currency: 'BGN' };
    expect(futureExchangeFailure({ debit }, date, '2026-11-20')?.failure).toBe(failure);
    expect(futureExchangeFailure({}, date, '2026-11-20')).toBeUndefined();
  });
});
