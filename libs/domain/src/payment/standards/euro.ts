import { getMember } from '../../form/form-checks.js';
import { position13 } from '../../iban/iban.js';
import type { AddressForm } from '../fields/address.js';
import { addressCheck } from '../fields/address.js';
import { budgetDetailsCheck } from '../fields/budget-details.js';
import { fieldTypeChecks } from '../fields/payment-field-types.js';
import { euroProducts } from '../payment-products.js';
import { carriedIdentifier, euroBudgetAttributes, euroBudgetLayout } from './euro-budget.js';
import { euroConditions, euroServiceLevel } from './euro-conditions.js';
import { euroExampleBodies } from './euro-example-bodies.js';
import { euroFields } from './euro-fields.js';
import { lev } from './lev.js';
import type { PaymentStandard } from './payment-standard.js';
import { creditorCountry, isReached } from './reach.js';

/** A structured address, or a hybrid one with up to two lines in place of street and number (contract E2.7). */
const address: AddressForm = {
  parts: [
    { name: 'streetName', max: 70, mandatory: false },
    { name: 'buildingNumber', max: 16, mandatory: false },
    { name: 'townName', max: 35, mandatory: true },
    { name: 'postCode', max: 16, mandatory: false },
  ],
  lines: { most: 2, max: 70 },
};

const deriveType: PaymentStandard['deriveType'] = (details, { sepa }) => {
  if (details.order.amount.currency !== 'EUR' || !isReached(details, sepa)) return 'FOREIGN';
  return creditorCountry(details) === 'BG' ? 'DOMESTIC' : 'SEPA';
};

/** The product for the details (contract E2.1). An account of a revenue administrator needs the identifier. */
const fittingProduct: PaymentStandard['fittingProduct'] = (product, details, tables) => {
  const type = deriveType(details, tables);
  if (type === 'FOREIGN') return 'cross-border-credit-transfer';
  const budgetDigit = type === 'DOMESTIC' ? position13(details.order.creditorAccount) : '';
  const isBudget = product === 'domestic-budget-transfer-EUR' && budgetDigit === '3';
  if (budgetDigit === '8' || isBudget) return 'domestic-budget-transfer-EUR';
  const isInstant = product === 'instant-SEPA-credit-transfer';
  return isInstant && tables.instant !== undefined && isReached(details, tables.instant)
    ? product
    : 'SEPA-Credit-Transfer';
};

/** Payments since Bulgaria introduced the euro (contract E2). */
export const euro: PaymentStandard = {
  homeCurrency: 'EUR',
  products: euroProducts,
  closedProducts: {
    'domestic-credit-transfer-BGN': 'SEPA-Credit-Transfer',
    'domestic-budget-transfer-BGN': 'domestic-budget-transfer-EUR',
  },
  aliases: {
    'domestic-credit-transfer-eur': 'SEPA-Credit-Transfer',
    'domestic-credit-transfers-eur': 'SEPA-Credit-Transfer',
  },
  productsByService: {
    payments: euroProducts,
    'periodic-payments': ['SEPA-Credit-Transfer'],
    'bulk-payments': ['SEPA-Credit-Transfer', 'instant-SEPA-credit-transfer', 'domestic-budget-transfer-EUR'],
  },
  announced: {},
  periodicProduct: 'SEPA-Credit-Transfer',
  previous: lev,
  fields: euroFields,
  fieldChecks: {
    ...fieldTypeChecks,
    Address: addressCheck(address),
    ServiceLevelCode: euroServiceLevel,
    BudgetPaymentDetails: budgetDetailsCheck(euroBudgetLayout),
  },
  conditions: euroConditions,
  address,
  budgetAttributes: euroBudgetAttributes,
  purposeCodeProducts: [],
  exampleBodies: euroExampleBodies,
  deriveType,
  fittingProduct,
  unsupportedCurrencyText: (currency, { currencies, levEnd }) =>
    currency === 'BGN'
      ? `Payments in BGN ended on ${levEnd}. Send EUR: the amount divided by 1.95583, rounded to the cent.`
      : `Payments in this currency are not supported. Supported: ${currencies.join(', ')}.`,
  transferText: (body) => {
    const text = getMember(body, 'remittanceInformationUnstructured');
    const identifier = carriedIdentifier(body);
    if (identifier === undefined) return typeof text === 'string' ? text : undefined;
    return `${identifier}${typeof text === 'string' ? text : ''}`;
  },
};
