import { maxBasketItems, validateBasket } from '@xs2a/domain/basket/validate-basket';
import { exampleBulk } from '@xs2a/domain/bulk/example-bulks';
import { validateBulk } from '@xs2a/domain/bulk/validate-bulk';
import { validateConsent } from '@xs2a/domain/consent/validate-consent';
import { isIban } from '@xs2a/domain/iban/iban';
import { exampleOrder } from '@xs2a/domain/order/example-order';
import { validateOrder } from '@xs2a/domain/order/validate-order';
import { exampleBodies } from '@xs2a/domain/payment/example-bodies';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import { productsOffered } from '@xs2a/domain/payment/product-offers';
import { validatePayment } from '@xs2a/domain/payment/fields/validate-payment';
import { optionalFeatures } from '@xs2a/domain/profile/profile';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { readFundsRequest } from '../../funds/funds-request.js';
import { durationMs } from '../../sandbox/iso-duration.js';
import { readTppStatus } from '../../sandbox/sandbox-bodies.js';
import { consentRequest, fundsRequest } from '../examples.js';
import {
  at,
  type BeyondSchema,
  describeStrictness,
  formFailures,
  rightChecks,
  type Subject,
} from '../../testing/schema-strictness.js';
import { schemasFor } from './schemas.js';

const profile = makeProfile('production', { offers: [...optionalFeatures] });
const today = '2026-11-20';
const payments: readonly Subject[] = Object.entries(exampleBodies).map(([product, body]) => ({
  name: `Payment.${product}`,
  valid: [
    body,
    { ...body, creditorAccount: { bban: 'ABC123' } },
    { ...body, creditorAccount: { other: { identification: 'A1', issuer: 'X' }, currency: 'BGN' } },
  ].filter((one) => one === body || product === 'cross-border-credit-transfer'),
  failures: (sent) =>
    formFailures(validatePayment(product as PaymentProduct, sent, { profile, today, ownBankCode: 'XSBK' })),
}));
const rules = { profile, today, ownBankCode: 'XSBK' };
const { endDate: _end, dayOfExecution: _day, ...openOrder } = exampleOrder;
const orders: Subject = {
  name: 'PeriodicPayment',
  valid: [
    exampleOrder,
    { ...openOrder, numberOfPayments: 12 },
    { ...openOrder, frequency: 'MonthlyVariable', monthsOfExecution: ['1', '12'] },
    { ...openOrder, frequency: 'Daily' },
  ],
  failures: (sent) => formFailures(validateOrder(sent, rules)),
};
const bulks: readonly Subject[] = productsOffered('bulk-payments', profile).map((product) => ({
  name: `BulkPayment.${product}`,
  valid: [exampleBulk(product)],
  failures: (sent) => formFailures(validateBulk(product, sent, rules)),
}));
const subjects: readonly Subject[] = [
  ...payments,
  orders,
  ...bulks,
  {
    name: 'ConsentRequest',
    valid: [
      consentRequest,
      { ...consentRequest, access: { accounts: [], balances: [], transactions: [] } },
      {
        ...consentRequest,
        access: { balances: consentRequest.access.balances },
        combinedServiceIndicator: 'true',
      },
      { ...consentRequest, recurringIndicator: false, frequencyPerDay: 1 },
    ],
    failures: (sent) => formFailures(validateConsent(sent, { profile, today })),
  },
  {
    name: 'BasketRequest',
    valid: [
      { paymentIds: ['a', 'b'], consentIds: ['c'] },
      { paymentIds: Array.from({ length: maxBasketItems }, (_one, index) => `p${index}`) },
      { consentIds: ['c'] },
    ],
    failures: (sent) => formFailures(validateBasket(sent)),
  },
  {
    name: 'FundsRequest',
    valid: [{ ...fundsRequest, payee: 'Магазин', cardNumber: '1234' }],
    failures: (sent) => formFailures(readFundsRequest(sent)),
  },
  {
    name: 'TppStatus',
    valid: [{ status: 'blocked' }],
    failures: (sent) => {
      try {
        readTppStatus(sent);
        return [];
      } catch (error) {
        return error instanceof CallFailed ? error.failures : [{ failure: 'internal' }];
      }
    },
  },
  {
    name: 'ClockAdvance',
    valid: ['PT1M', 'P90D', 'P1Y2M3W4DT5H6M7,5S', 'PT0.250S'].map((advance) => ({ advance })),
    failures: ({ advance, ...others }) => [
      ...(durationMs(advance, Date.parse('2026-11-20')) === undefined
        ? [{ failure: 'fieldMalformed', path: 'advance' } as const]
        : []),
      ...Object.keys(others).map((path) => ({ failure: 'fieldUnknown', path }) as const),
    ],
  },
];

/**
 * Rules that JSON Schema cannot express at all, or only as rules between fields, which client generators do not
 * support. Each entry contains a path and a function that returns true if validation may reject a body that the
 * schema accepts.
 */
const beyondSchema: readonly BeyondSchema[] = [
  // Check digits.
  [/(?:^|\.)iban$/, (iban) => typeof iban === 'string' && !isIban(iban) && isIban(rightChecks(iban))],
  // The same account is listed twice, in different forms.
  [/^access\..*\.iban$/, (iban) => isIban(iban)],
  // The decimals of the currency, and the maximum of 2^53 − 1 minor units.
  [/\.amount$/, (amount) => Number(amount) > 0 && /^\d{13,}|\.\d+$/.test(String(amount))],
  // Past dates.
  [/^validUntil$/, (day) => typeof day === 'string' && day < today],
  // The order of the two dates.
  [
    /^budgetPaymentDetails\.endDate$/,
    (end, body) => String(end) < String(at(body, ['budgetPaymentDetails', 'fromDate'])),
  ],
  // Rules between fields (payment-conditions.ts).
  [/^creditorAccount\.iban$/, (iban, body) => isIban(iban) && 'budgetPaymentDetails' in body],
  [
    /^(?:creditorAgent|creditorAgentName|creditorAgentAddress)$/,
    (value, body) => value === undefined && at(body, ['creditorAccount', 'iban']) === undefined,
  ],
  [/^chargeBearer$/, (_value, body) => !('budgetPaymentDetails' in body)],
];

describeStrictness('the schemas of request bodies (contract 1)', schemasFor(profile), subjects, beyondSchema);
