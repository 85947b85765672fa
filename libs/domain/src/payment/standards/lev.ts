import { getMember } from '../../form/form-checks.js';
import { exampleBodies } from '../example-bodies.js';
import { budgetAttributes } from '../fields/budget-details.js';
import { paymentConditions } from '../fields/payment-conditions.js';
import { fieldTypeChecks, levAddress } from '../fields/payment-field-types.js';
import { paymentFields } from '../fields/payment-fields.js';
import { levProducts, type PaymentProduct, type PaymentType } from '../payment-products.js';
import type { PaymentStandard } from './payment-standard.js';
import { creditorCountry, isReached } from './reach.js';

const typeOfProduct: Readonly<Partial<Record<PaymentProduct, PaymentType>>> = {
  'domestic-credit-transfer-BGN': 'DOMESTIC',
  'domestic-budget-transfer-BGN': 'DOMESTIC',
  'SEPA-Credit-Transfer': 'SEPA',
  'cross-border-credit-transfer': 'FOREIGN',
};

/** The product to recommend to a TPP that chose the wrong one, by payment type. */
const productFor: Readonly<Record<PaymentType, PaymentProduct>> = {
  DOMESTIC: 'domestic-credit-transfer-BGN',
  SEPA: 'SEPA-Credit-Transfer',
  FOREIGN: 'cross-border-credit-transfer',
};

const deriveType: PaymentStandard['deriveType'] = (details, { sepa }) => {
  const { currency } = details.order.amount;
  if (currency === 'BGN' && creditorCountry(details) === 'BG') return 'DOMESTIC';
  return currency === 'EUR' && isReached(details, sepa) ? 'SEPA' : 'FOREIGN';
};

/** Payments while the lev was the currency of Bulgaria (spec 1, 2.4; contract 8, 9). */
export const lev: PaymentStandard = {
  homeCurrency: 'BGN',
  products: levProducts,
  closedProducts: {},
  aliases: {},
  productsByService: {
    payments: levProducts,
    'periodic-payments': ['domestic-credit-transfer-BGN'],
    'bulk-payments': ['domestic-credit-transfer-BGN', 'domestic-budget-transfer-BGN'],
  },
  announced: {
    'periodic-payments': {
      'domestic-budget-transfer-BGN':
        'Periodic budget payments are announced for a later release. Send each as a single payment.',
    },
  },
  periodicProduct: 'domestic-credit-transfer-BGN',
  fields: paymentFields,
  fieldChecks: fieldTypeChecks,
  conditions: paymentConditions,
  address: levAddress,
  budgetAttributes,
  purposeCodeProducts: ['SEPA-Credit-Transfer', 'cross-border-credit-transfer'],
  exampleBodies,
  deriveType,
  fittingProduct: (product, details, tables) => {
    const type = deriveType(details, tables);
    return typeOfProduct[product] === type ? product : productFor[type];
  },
  unsupportedCurrencyText: (_currency, { currencies }) =>
    `Payments in this currency are not supported. Supported: ${currencies.join(', ')}.`,
  transferText: (body) => {
    const text = getMember(body, 'remittanceInformationUnstructured');
    return typeof text === 'string' ? text : undefined;
  },
};
