import { exampleBulk } from '@xs2a/domain/bulk/example-bulks';
import { validateBulk } from '@xs2a/domain/bulk/validate-bulk';
import { isIban } from '@xs2a/domain/iban/iban';
import { exampleOrderOf } from '@xs2a/domain/order/example-order';
import { validateOrder } from '@xs2a/domain/order/validate-order';
import { validatePayment } from '@xs2a/domain/payment/fields/validate-payment';
import { euroProducts } from '@xs2a/domain/payment/payment-products';
import { productsOffered } from '@xs2a/domain/payment/product-offers';
import { euro } from '@xs2a/domain/payment/standards/euro';
import { euroExampleBodies } from '@xs2a/domain/payment/standards/euro-example-bodies';
import { optionalFeatures } from '@xs2a/domain/profile/profile';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import {
  type BeyondSchema,
  describeStrictness,
  formFailures,
  rightChecks,
  type Subject,
} from '../../testing/schema-strictness.js';
import { schemasFor } from './schemas.js';

const profile = makeProfile('bg-euro-production', { offers: [...optionalFeatures] });
const rules = { profile, today: '2026-11-20', ownBankCode: 'XSBK' };
const toAccountAt3 = {
  creditorAccount: { iban: 'BG39BNBG96613100195002' },
  budgetPaymentDetails: undefined,
};

const subjects: readonly Subject[] = [
  ...euroProducts.map((product): Subject => {
    const body = euroExampleBodies[product];
    return {
      name: `Payment.${product}`,
      valid: [
        body,
        ...(product === 'domestic-budget-transfer-EUR'
          ? [JSON.parse(JSON.stringify({ ...body, ...toAccountAt3 }))]
          : []),
        ...(product === 'cross-border-credit-transfer'
          ? [{ ...body, creditorAccount: { bban: 'ABC123' } }]
          : []),
      ],
      failures: (sent) => formFailures(validatePayment(product, sent, rules)),
    };
  }),
  {
    name: 'PeriodicPayment',
    valid: [exampleOrderOf(euro)],
    failures: (sent) => formFailures(validateOrder(sent, rules)),
  },
  ...productsOffered('bulk-payments', profile).map((product): Subject => ({
    name: `BulkPayment.${product}`,
    valid: [exampleBulk(product, euro)],
    failures: (sent) => formFailures(validateBulk(product, sent, rules)),
  })),
];

/** As for the lev standard, and the rules between the creditor's account and the budget details (contract E2.5). */
const beyondSchema: readonly BeyondSchema[] = [
  [/(?:^|\.)iban$/, (iban) => typeof iban === 'string' && !isIban(iban) && isIban(rightChecks(iban))],
  [/\.amount$/, (amount) => Number(amount) > 0 && /^\d{10,}|\.\d+$/.test(String(amount))],
  [/^creditorAccount\.iban$/, (iban) => isIban(iban)],
  [/^budgetPaymentDetails(?:\.tax[pP]ayer(?:Id|Type)|\.paymentCategory)?$/, () => true],
  [
    /^remittanceInformationUnstructured$/,
    (text, body) => text === undefined || ('budgetPaymentDetails' in body && String(text).length > 127),
  ],
  [/^(?:creditorAgent|creditorAgentName|creditorAgentAddress)$/, (value) => value === undefined],
  [/^chargeBearer$/, (_value, body) => !('budgetPaymentDetails' in body)],
];

describeStrictness(
  'the schemas of payments in euro (contract E2)',
  schemasFor(profile),
  subjects,
  beyondSchema,
);
