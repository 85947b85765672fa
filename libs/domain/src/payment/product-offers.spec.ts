import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '../testing/profiles.js';
import { levProducts } from './payment-products.js';
import { paymentServices } from './payment-services.js';
import { initiationFailure, productsOffered } from './product-offers.js';

const [sandbox, production] = [makeProfile('sandbox'), makeProfile('production')];

describe('the products of the payment services (contract 9)', () => {
  it('include every product for single payments, only domestic for orders, and domestic and budget for bulk payments', () => {
    const taken = paymentServices.map((service) =>
      levProducts.filter((product) => initiationFailure(service, product, sandbox) === undefined),
    );
    expect(taken).toEqual([
      levProducts,
      ['domestic-credit-transfer-BGN'],
      ['domestic-credit-transfer-BGN', 'domestic-budget-transfer-BGN'],
    ]);
  });

  it('are named when another product is refused, with advice on what to do', () => {
    expect(initiationFailure('bulk-payments', 'SEPA-Credit-Transfer', sandbox)).toEqual({
      failure: 'productWrong',
      text: 'bulk-payments accepts only domestic-credit-transfer-BGN and domestic-budget-transfer-BGN. Send single payments under /payments/SEPA-Credit-Transfer.',
    });
    expect(initiationFailure('periodic-payments', 'domestic-budget-transfer-BGN', sandbox)?.text).toContain(
      'announced for a later release',
    );
  });

  it('require an enabled feature for bulk payments but not for periodic orders (spec 1.7)', () => {
    expect(initiationFailure('bulk-payments', 'domestic-credit-transfer-BGN', production)?.failure).toBe(
      'serviceNotOffered',
    );
    expect(
      initiationFailure('bulk-payments', 'domestic-credit-transfer-BGN', {
        ...production,
        offers: ['bulk-payments'],
      }),
    ).toBeUndefined();
    expect(
      initiationFailure('periodic-payments', 'domestic-credit-transfer-BGN', production),
    ).toBeUndefined();
  });

  it('never include a product that the bank does not have', () => {
    const narrow = makeProfile('sandbox', {
      products: ['SEPA-Credit-Transfer', 'domestic-budget-transfer-BGN'],
    });
    expect(paymentServices.map((service) => productsOffered(service, narrow))).toEqual([
      ['SEPA-Credit-Transfer', 'domestic-budget-transfer-BGN'],
      [],
      ['domestic-budget-transfer-BGN'],
    ]);
  });
});
