import { describe, expect, it } from '@jest/globals';
import { validateBulk } from '../../bulk/validate-bulk.js';
import { exampleBulk } from '../../bulk/example-bulks.js';
import { exampleOrderOf } from '../../order/example-order.js';
import { validateOrder } from '../../order/validate-order.js';
import { makeProfile } from '../../testing/profiles.js';
import { euroProducts, levProducts, parsePaymentProduct, paymentProducts } from '../payment-products.js';
import { paymentServices } from '../payment-services.js';
import {
  closedProductFailure,
  initiationFailure,
  isKnownProduct,
  productsOffered,
} from '../product-offers.js';
import { euro } from './euro.js';

const [sandbox, production] = [makeProfile('bg-euro'), makeProfile('bg-euro-production')];
const rules = { profile: production, today: '2026-11-20', ownBankCode: 'XSBK' };
const bulkRules = { ...rules, profile: sandbox };

describe('product names in euro (contract E1.4)', () => {
  it.each([
    ['SEPA-Credit-Transfer', 'sepa-credit-transfer', 'SEPA-CREDIT-TRANSFERS', 'sepa-credit-transfers'],
    ['SEPA-Credit-Transfer', 'domestic-credit-transfer-EUR', 'domestic-credit-transfers-eur'],
    ['instant-SEPA-credit-transfer', 'instant-sepa-credit-transfers', 'INSTANT-sepa-credit-transfer'],
    ['domestic-budget-transfer-EUR', 'domestic-budget-transfers-EUR', 'domestic-budget-transfer-eur'],
    ['cross-border-credit-transfer', 'cross-border-credit-transfers', 'cross-border-transfer'],
    ['cross-border-credit-transfer', 'cross-border-transfers'],
  ])('%s is also accepted as %s', (product, ...spellings) => {
    expect(spellings.map((one) => parsePaymentProduct(one, euro.aliases))).toEqual(
      spellings.map(() => product),
    );
  });

  it('do not include TARGET2, which is not offered (contract E1.6)', () => {
    expect(parsePaymentProduct('target-2-payments', euro.aliases)).toBeUndefined();
  });

  it('are not known before the euro', () => {
    expect(parsePaymentProduct('domestic-credit-transfer-EUR')).toBeUndefined();
    const lev = makeProfile('sandbox');
    expect(paymentProducts.filter((product) => isKnownProduct(product, lev))).toEqual([...levProducts]);
  });

  it('include those that ended with the lev, whose POST names the day and the successor (contract E1.5)', () => {
    expect(paymentProducts.every((product) => isKnownProduct(product, production))).toBe(true);
    expect(
      paymentProducts.map((product) => closedProductFailure(product, production)?.text).filter(Boolean),
    ).toEqual([
      'domestic-credit-transfer-BGN ended on 2026-01-01. Send the payment in EUR to SEPA-Credit-Transfer.',
      'domestic-budget-transfer-BGN ended on 2026-01-01. Send the payment in EUR to domestic-budget-transfer-EUR.',
    ]);
    expect(closedProductFailure('domestic-credit-transfer-BGN', makeProfile('sandbox'))).toBeUndefined();
  });
});

describe('payment services in euro (contract E2.9)', () => {
  it('take SEPA periodically; SEPA, instant and budget in bulk; every product singly', () => {
    expect(paymentServices.map((service) => productsOffered(service, sandbox))).toEqual([
      [...euroProducts],
      ['SEPA-Credit-Transfer'],
      ['SEPA-Credit-Transfer', 'instant-SEPA-credit-transfer', 'domestic-budget-transfer-EUR'],
    ]);
    expect(initiationFailure('periodic-payments', 'instant-SEPA-credit-transfer', sandbox)).toEqual({
      failure: 'productWrong',
      text: 'periodic-payments accepts only SEPA-Credit-Transfer. Send single payments under /payments/instant-SEPA-credit-transfer.',
    });
    expect(initiationFailure('bulk-payments', 'cross-border-credit-transfer', sandbox)?.failure).toBe(
      'productWrong',
    );
  });

  it('take a periodic order in EUR only, with TARGET closing days', () => {
    const order = exampleOrderOf(euro);
    const result = validateOrder(order, rules);
    expect(result).toMatchObject({ valid: { paymentType: 'SEPA', order: { amount: { currency: 'EUR' } } } });
    expect(
      validateOrder({ ...order, instructedAmount: { currency: 'USD', amount: '1.00' } }, rules),
    ).toMatchObject({
      failures: [{ failure: 'currencyNotSupported', path: 'instructedAmount.currency' }],
    });
  });

  it.each(productsOffered('bulk-payments', sandbox))('take a bulk of %s', (product) => {
    expect(validateBulk(product, exampleBulk(product, euro), bulkRules)).toMatchObject({
      valid: { orders: [{ amount: { currency: 'EUR' } }, { amount: { currency: 'EUR' } }] },
    });
  });

  it('give a bulk of SEPA transfers the type of its entries, and SEPA if they differ', () => {
    const product = 'SEPA-Credit-Transfer';
    const { payments, ...head } = exampleBulk(product, euro);
    const [entry] = Array.isArray(payments) ? (payments as readonly object[]) : [];
    const inBulgaria = {
      ...entry,
      creditorAccount: { iban: 'BG14XSBV92001000000101' },
      creditorAgent: undefined,
    };
    const typeOf = (...entries: readonly unknown[]) =>
      validateBulk(product, { ...head, payments: entries }, bulkRules);
    expect(typeOf(inBulgaria, inBulgaria)).toMatchObject({ valid: { paymentType: 'DOMESTIC' } });
    expect(typeOf(inBulgaria, entry)).toMatchObject({ valid: { paymentType: 'SEPA' } });
  });

  it('report an entry of a bulk to a revenue account with the product for it', () => {
    const product = 'instant-SEPA-credit-transfer';
    const { payments, ...head } = exampleBulk(product, euro);
    const [entry] = Array.isArray(payments) ? (payments as readonly object[]) : [];
    const toBudget = {
      ...entry,
      creditorAccount: { iban: 'BG88BNBG96618000195001' },
      creditorAgent: undefined,
    };
    expect(validateBulk(product, { ...head, payments: [entry, toBudget] }, bulkRules)).toEqual({
      failures: [
        {
          failure: 'productWrong',
          path: 'payments[1]',
          text: 'These details do not match this type of payment. Send them to /payments/domestic-budget-transfer-EUR, with the fields of that product.',
        },
      ],
    });
  });
});
