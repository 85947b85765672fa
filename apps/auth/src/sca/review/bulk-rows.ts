import type { PaymentAuthorisation } from '@xs2a/contracts/payments.contract';
import { isJsonObject, type JsonObject, getMember } from '@xs2a/domain/form/form-checks';
import { countVerified } from '@xs2a/domain/payee/payment-payees';
import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { getDebit, total } from '@xs2a/domain/payment/pricing/price-order';
import type { Entry, Row } from '../requests/authorisation-request.js';
import { catalogues } from '../catalogue/catalogues.js';
import { accountFigure, amountFigure } from '../pages/figures.js';
import { dateText } from '../pages/language.js';
import { payeeCountRows, payeeDetail } from './payee-rows.js';
import { budgetRows } from './budget-rows.js';
import {
  chargesRow,
  folded,
  fromRows,
  inWords,
  optionalRow,
  priceRows,
  type Reading,
  signatureRows,
  textIn,
  whenText,
} from './row-parts.js';

export type ShownBulk = Pick<
  PaymentAuthorisation,
  | 'product'
  | 'orders'
  | 'requestedExecutionDate'
  | 'body'
  | 'signedBy'
  | 'signaturesMissing'
  | 'payeesVerified'
>;

/** The entries as the TPP submitted them. */
const submittedEntries = (body: JsonObject): readonly JsonObject[] => {
  const entries = getMember(body, 'payments');
  return Array.isArray(entries) ? entries.filter(isJsonObject) : [];
};

/** Counts the payees: two names for one account are two payees. */
const countPayees = (orders: readonly PaymentOrder[]): number =>
  new Set(orders.map(({ creditorName, creditorAccount }) => JSON.stringify([creditorName, creditorAccount])))
    .size;

/** The total amount and price of all entries, and the account that they share. */
const sumUp = (orders: readonly PaymentOrder[]) => {
  const [first] = orders;
  if (first === undefined) throw new Error('A bulk payment must have entries.');
  const fees = orders.flatMap(({ fee }) => fee ?? []);
  return {
    amount: total(orders.map(({ amount }) => amount)),
    debit: total(orders.map(getDebit)),
    debtorIban: first.debtorIban,
    rate: first.rate,
    fee: fees.length === orders.length ? total(fees) : undefined,
  };
};

/**
 * The rows that the PSU reads before signing a bulk payment (contract 9 and 12): the total, and the values that
 * all entries share. {@link bulkEntries} are listed below them.
 */
export const bulkRows = (bulk: ShownBulk, reading: Reading): readonly Row[] => {
  const { language } = reading;
  const texts = catalogues[language];
  const { row, value, codes } = texts;
  const sum = sumUp(bulk.orders);
  const isOneEntry = getMember(bulk.body, 'batchBookingPreferred') === true;
  const serviceLevels = new Set(
    submittedEntries(bulk.body).flatMap(
      (entry) => inWords(codes.serviceLevel, textIn(entry, 'serviceLevel')) ?? [],
    ),
  );
  return [
    {
      label: row.sum,
      value: amountFigure(sum.amount, reading),
      isAmount: true,
      isSigned: true,
      isOnReceipt: true,
    },
    {
      label: row.payee,
      value: value.payees(countPayees(bulk.orders)),
      place: 'payee',
      isOnReceipt: true,
    },
    ...payeeCountRows(countVerified(bulk.payeesVerified, bulk.orders), language),
    { label: row.numberOfPayments, value: String(bulk.orders.length), isSigned: true, isOnReceipt: true },
    ...fromRows(sum.debtorIban, reading),
    { label: row.when, value: whenText(bulk, reading, 'bulk') },
    ...signatureRows(bulk, texts),
    { label: row.type, value: `${value.product[bulk.product]} (${value.kind.bulk})` },
    chargesRow(sum, reading),
    ...priceRows(sum, reading),
    ...folded([
      { label: row.inHistory, value: isOneEntry ? value.oneEntry : value.entryForEach },
      ...optionalRow(row.serviceLevel, [...serviceLevels].join('; ') || undefined),
    ]),
  ];
};

/**
 * The payments of a bulk payment, in order. A budget payment is listed with its details; a person who appears in
 * two roles is named once.
 */
export const bulkEntries = (
  { orders, body, payeesVerified }: Pick<ShownBulk, 'orders' | 'body' | 'payeesVerified'>,
  { language, profile }: Reading,
): readonly Entry[] => {
  const texts = catalogues[language];
  const submitted = submittedEntries(body);
  const day = (iso: string): string => dateText(iso, language, profile.timeZone);
  return orders.map((order, index) => {
    const { creditorName, creditorAccount, amount, remittance } = order;
    const entry = submitted[index] ?? {};
    const details = budgetRows(getMember(entry, 'budgetPaymentDetails'), texts, day);
    const debtor = textIn(entry, 'ultimateDebtor');
    const isNamed = details.some(({ value }) => value === debtor);
    return {
      payee: creditorName,
      account: accountFigure(creditorAccount),
      amount: amountFigure(amount, { language, profile }),
      remittance,
      details: [
        ...payeeDetail(payeesVerified, order, language),
        ...optionalRow(texts.row.onBehalfOf, isNamed ? undefined : debtor),
        ...details,
      ],
    };
  });
};
