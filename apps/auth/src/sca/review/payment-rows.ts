import type { PaymentAuthorisation } from '@xs2a/contracts/payments.contract';
import { getMember } from '@xs2a/domain/form/form-checks';
import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import type { PaymentProduct } from '@xs2a/domain/payment/payment-products';
import { readRemittance } from '@xs2a/domain/payment/fields/purpose-codes';
import type { Row } from '../requests/authorisation-request.js';
import { catalogues } from '../catalogue/catalogues.js';
import { amountFigure } from '../pages/figures.js';
import { dateText } from '../pages/language.js';
import { payeeCheckRows } from './payee-rows.js';
import { budgetRows } from './budget-rows.js';
import {
  chargesRow,
  folded,
  fromRows,
  inWords,
  optionalRow,
  payeeRows,
  priceRows,
  type Reading,
  signatureRows,
  textIn,
  whenText,
} from './row-parts.js';

export type ShownPayment = Pick<
  PaymentAuthorisation,
  'product' | 'requestedExecutionDate' | 'body' | 'signedBy' | 'signaturesMissing' | 'payeesVerified'
> & { readonly order: PaymentOrder };

/** The products whose text is shown in words if it begins with a purpose code (spec 2.4, contract E2.8). */
const purposeProducts: ReadonlySet<PaymentProduct> = new Set([
  'SEPA-Credit-Transfer',
  'instant-SEPA-credit-transfer',
  'cross-border-credit-transfer',
]);

/**
 * The rows that the PSU reads before signing a payment (contract 12): the amount and payee first, then everything
 * else that was submitted.
 */
export const paymentRows = (payment: ShownPayment, reading: Reading): readonly Row[] => {
  const { language, profile } = reading;
  const texts = catalogues[language];
  const { row, value, codes } = texts;
  const { order, body, product } = payment;
  const mayHavePurpose = purposeProducts.has(product);
  const { purpose, reference, text } = mayHavePurpose
    ? readRemittance(order.remittance)
    : { text: order.remittance };
  const day = (iso: string): string => dateText(iso, language, profile.timeZone);
  return [
    {
      label: row.amount,
      value: amountFigure(order.amount, reading),
      isAmount: true,
      isSigned: true,
      isOnReceipt: true,
    },
    ...payeeRows(order, texts),
    ...payeeCheckRows(payment.payeesVerified, order, language),
    ...fromRows(order.debtorIban, reading),
    { label: row.when, value: whenText(payment, reading) },
    ...signatureRows(payment, texts),
    { label: row.type, value: value.product[product] },
    chargesRow(order, reading),
    ...optionalRow(row.chargeBearer, inWords(codes.chargeBearer, textIn(body, 'chargeBearer'))),
    ...priceRows(order, reading),
    { label: row.remittance, value: text, isOnReceipt: true },
    ...folded([
      ...optionalRow(row.payeeBank, textIn(body, 'creditorAgent', 'creditorAgentName')),
      ...optionalRow(row.onBehalfOf, textIn(body, 'ultimateDebtor')),
      ...optionalRow(row.serviceLevel, inWords(codes.serviceLevel, textIn(body, 'serviceLevel'))),
      ...optionalRow(row.purpose, purpose && `${inWords(codes.purpose, purpose)} (${purpose})`),
      ...optionalRow(row.bankReference, reference),
      ...budgetRows(getMember(body, 'budgetPaymentDetails'), texts, day),
    ]),
  ];
};
