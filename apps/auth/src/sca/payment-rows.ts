import type { PaymentAuthorisation } from '@xs2a/contracts/payments.contract';
import { isJsonObject, type JsonObject, memberOf } from '@xs2a/domain/form/form-checks';
import { executionOf } from '@xs2a/domain/payment/execution-day';
import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { totalDebitOf } from '@xs2a/domain/payment/price-order';
import { readRemittance } from '@xs2a/domain/payment/purpose-codes';
import type { Profile } from '@xs2a/domain/profile/profile';
import { bankDateOf } from '@xs2a/domain/time/bank-calendar';
import type { Row } from './approval.js';
import type { Catalogue, Language } from './catalogue/catalogue.js';
import { catalogues } from './catalogue/catalogues.js';
import { accountFigure, amountFigure, rateFigure } from './figures.js';
import { dateText } from './language.js';

export type ShownPayment = Pick<
  PaymentAuthorisation,
  'product' | 'requestedExecutionDate' | 'body' | 'signedBy' | 'signaturesMissing'
> & { readonly order: PaymentOrder };

const textIn = (json: JsonObject, ...spellings: readonly string[]): string | undefined =>
  spellings.map((name) => memberOf(json, name)).find((value) => typeof value === 'string');

/** A row where there is something to say. */
const rowOf = (label: string, value: string | undefined): readonly Row[] =>
  value === undefined ? [] : [{ label, value }];

/** A code of the standard in words; a code without words, which the validation lets nobody send, as it is. */
const inWords = (words: Readonly<Record<string, string>>, code: string | undefined): string | undefined =>
  code === undefined ? undefined : (words[code] ?? code);

/**
 * The rows that the PSU reads before signing (contract 12): amount and payee first, then everything else that was
 * sent.
 */
export const paymentRows = (
  payment: ShownPayment,
  language: Language,
  profile: Profile,
  now: string,
): readonly Row[] => {
  const { timeZone, name } = profile;
  const texts = catalogues[language];
  const { row, value, codes } = texts;
  const { order, body, product } = payment;
  const takesPurpose = product === 'SEPA-Credit-Transfer' || product === 'cross-border-credit-transfer';
  const { purpose, reference, text } = takesPurpose
    ? readRemittance(order.remittance)
    : { text: order.remittance };
  return [
    { label: row.amount, value: amountFigure(order.amount, language), isAmount: true, isSigned: true },
    { label: row.payee, value: order.creditorName, isSigned: true },
    { label: row.payeeAccount, value: accountFigure(order.creditorAccount), isSigned: true },
    ...rowOf(row.payeeBank, textIn(body, 'creditorAgent', 'creditorAgentName')),
    { label: row.from, value: accountFigure(order.debtorIban) },
    ...rowOf(row.onBehalfOf, textIn(body, 'ultimateDebtor')),
    { label: row.when, value: whenText(payment, language, profile, now) },
    ...signatureRows(payment, texts),
    { label: row.type, value: value.product[product] },
    ...rowOf(row.serviceLevel, inWords(codes.serviceLevel, textIn(body, 'serviceLevel'))),
    {
      label: row.charges,
      // A price list in the profile has set the fee; without one the sandbox bank charges nothing (spec 1.8).
      value:
        order.fee === undefined && name === 'production'
          ? value.tariff
          : amountFigure(order.fee ?? { minor: 0, currency: order.amount.currency }, language),
    },
    ...rowOf(row.chargeBearer, inWords(codes.chargeBearer, textIn(body, 'chargeBearer'))),
    ...priceRows(order, language),
    ...rowOf(row.purpose, purpose && `${inWords(codes.purpose, purpose)} (${purpose})`),
    ...rowOf(row.bankReference, reference),
    { label: row.remittance, value: text },
    ...budgetRows(memberOf(body, 'budgetPaymentDetails'), texts, (day) => dateText(day, language, timeZone)),
  ];
};

/** When it would be carried out if it were signed now: cut-off and banking days included (contract 8). */
const whenText = (payment: ShownPayment, language: Language, profile: Profile, now: string): string => {
  const { value } = catalogues[language];
  const { executionDate } = executionOf(payment.requestedExecutionDate, now, profile);
  if (executionDate !== bankDateOf(now, profile.timeZone))
    return value.on(dateText(executionDate, language, profile.timeZone));
  return payment.signaturesMissing > 1 ? value.atOnceAll : value.atOnce;
};

/** How far it is, where several persons have to sign. */
const signatureRows = (
  { signedBy, signaturesMissing }: ShownPayment,
  { row, value }: Catalogue,
): readonly Row[] => {
  const required = signedBy.length + signaturesMissing;
  return required === 1 ? [] : [{ label: row.signatures, value: value.signed(signedBy.length, required) }];
};

/** All that leaves the account, when that is not the amount itself; and the bank's rate (contract 8, FX). */
const priceRows = (order: PaymentOrder, language: Language): readonly Row[] => {
  const { row } = catalogues[language];
  const total = totalDebitOf(order);
  const isPlain = total.currency === order.amount.currency && total.minor === order.amount.minor;
  return [
    ...(order.rate === undefined
      ? []
      : [
          {
            label: row.rate,
            value: `1 ${order.amount.currency} = ${rateFigure(order.rate, language)} ${total.currency}`,
          },
        ]),
    ...(isPlain ? [] : [{ label: row.total, value: amountFigure(total, language) }]),
  ];
};

/** Budget Payment Details (spec 2.4) in words, those that were sent. */
const budgetRows = (
  details: unknown,
  { row, codes, value }: Catalogue,
  day: (iso: string) => string,
): readonly Row[] => {
  if (!isJsonObject(details)) return [];
  const [from, end] = [textIn(details, 'fromDate'), textIn(details, 'endDate')];
  const taxpayerId = textIn(details, 'taxpayerId', 'taxPayerId');
  const taxpayerType = inWords(codes.taxpayerType, textIn(details, 'taxpayerType', 'taxPayerType'));
  const documentDate = textIn(details, 'documentDate');
  const document = [textIn(details, 'documentNumber'), documentDate && day(documentDate)].filter(Boolean);
  return [
    ...rowOf(row.obligedPerson, textIn(details, 'obligedPersonName')),
    ...rowOf(row.taxpayer, [taxpayerType, taxpayerId].filter(Boolean).join(': ') || undefined),
    ...rowOf(row.reportType, inWords(codes.reportType, textIn(details, 'regulatoryReportType'))),
    ...rowOf(row.document, document.join(', ') || undefined),
    ...rowOf(row.category, inWords(codes.category, textIn(details, 'paymentCategory'))),
    ...rowOf(row.period, from || end ? value.period(from && day(from), end && day(end)) : undefined),
  ];
};
