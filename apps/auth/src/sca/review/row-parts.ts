import type { PaymentAuthorisation } from '@xs2a/contracts/payments.contract';
import { type JsonObject, getMember } from '@xs2a/domain/form/form-checks';
import { planExecution } from '@xs2a/domain/payment/execution-day';
import { isInstant, planInstant } from '@xs2a/domain/payment/instant/instant-payments';
import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { computeTotalDebit } from '@xs2a/domain/payment/pricing/price-order';
import type { Profile } from '@xs2a/domain/profile/profile';
import { toBankDate } from '@xs2a/domain/time/bank-calendar';
import { type Html, html } from '@xs2a/html/html';
import type { AccountNames, Row } from '../requests/authorisation-request.js';
import type { Catalogue, Language } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import { accountFigure, amountFigure, rateFigure } from '../pages/figures.js';
import { dateText } from '../pages/language.js';

/** The context in which a review page is shown. */
export interface Reading {
  readonly language: Language;
  readonly profile: Profile;
  /** ISO instant. */
  readonly now: string;
  /** The names of the PSU's accounts, if the page shows them. */
  readonly names?: AccountNames;
}

/** The first text found among the members with these names. */
export const textIn = (json: JsonObject, ...spellings: readonly string[]): string | undefined =>
  spellings.map((name) => getMember(json, name)).find((value) => typeof value === 'string');

/** The row, or no row if there is no value. */
export const optionalRow = (label: string, value: string | undefined): readonly Row[] =>
  value === undefined ? [] : [{ label, value }];

/** The text for an ISO code. A code without a text, which validation never accepts, is shown unchanged. */
export const inWords = (
  words: Readonly<Record<string, string>>,
  code: string | undefined,
): string | undefined => (code === undefined ? undefined : (words[code] ?? code));

/** The rows as details that a page folds away. */
export const folded = (rows: readonly Row[]): readonly Row[] =>
  rows.map((row) => ({ ...row, place: 'more' as const }));

/** The payee and the payee's account. */
export const payeeRows = (
  { creditorName, creditorAccount }: Pick<PaymentOrder, 'creditorName' | 'creditorAccount'>,
  { row }: Catalogue,
): readonly Row[] => [
  { label: row.payee, value: creditorName, isSigned: true, place: 'payee', isOnReceipt: true },
  {
    label: row.payeeAccount,
    value: accountFigure(creditorAccount),
    isSigned: true,
    place: 'payeeAccount',
    isOnReceipt: true,
  },
];

/** The name of an account, if it is known, and its IBAN. */
export const namedAccount = (iban: string, names: AccountNames | undefined): Html => {
  const named = names?.get(iban);
  return named === undefined ? accountFigure(iban) : html`<b>${named.name}</b> ${accountFigure(iban)}`;
};

/**
 * The account to debit: its name, the end of its IBAN and what it can pay, and the IBAN in the fold. Without a name,
 * only the IBAN.
 */
export const fromRows = (debtorIban: string, reading: Reading): readonly Row[] => {
  const { language, names } = reading;
  const { row, value } = catalogues[language];
  const named = names?.get(debtorIban);
  if (named === undefined) return [{ label: row.from, value: accountFigure(debtorIban), isOnReceipt: true }];
  const { name, available } = named;
  const balance = available && html` · ${value.available} ${amountFigure(available, reading)}`;
  const from = html`<b>${name}</b><small>•• ${debtorIban.slice(-4)}${balance}</small>`;
  return [
    { label: row.from, value: from },
    ...folded([{ label: row.fromIban, value: accountFigure(debtorIban) }]),
  ];
};

type Signatures = Pick<PaymentAuthorisation, 'signedBy' | 'signaturesMissing'>;

/** The execution day that the payment would have if it were signed now; `atOnce` says so of today. */
export const dayText = (
  isoDate: string,
  { signaturesMissing }: Pick<Signatures, 'signaturesMissing'>,
  { language, profile, now }: Reading,
  atOnce = catalogues[language].value.atOnce,
): string => {
  const { value } = catalogues[language];
  if (isoDate > toBankDate(now, profile.timeZone))
    return value.on(dateText(isoDate, language, profile.timeZone));
  return signaturesMissing > 1 ? value.onceAll(atOnce) : atOnce;
};

/**
 * The time at which the payment would be executed if it were signed now: given the cut-off and the banking days
 * (contract 8), or at once if it is an instant payment (contract 14, E3).
 */
export const whenText = (
  payment: Signatures & Pick<PaymentAuthorisation, 'product' | 'requestedExecutionDate'>,
  reading: Reading,
  kind: 'payment' | 'bulk' = 'payment',
): string => {
  const { language, profile, now } = reading;
  if (!isInstant(payment))
    return dayText(
      planExecution(payment.requestedExecutionDate, now, profile).executionDate,
      payment,
      reading,
    );
  const { executionDate } = planInstant(payment.requestedExecutionDate, now, profile);
  return dayText(executionDate, payment, reading, catalogues[language].value.instantly[kind]);
};

/** The number of signatures so far, if there are several signers. */
export const signatureRows = (
  { signedBy, signaturesMissing }: Signatures,
  { row, value }: Catalogue,
): readonly Row[] => {
  const required = signedBy.length + signaturesMissing;
  return required === 1 ? [] : [{ label: row.signatures, value: value.signed(signedBy.length, required) }];
};

type Price = Pick<PaymentOrder, 'amount' | 'debit' | 'rate' | 'fee'>;

/**
 * The bank's charges. A price list in the profile defines the fee; without a price list, the sandbox bank charges
 * nothing (spec 1.8).
 */
export const chargesRow = ({ fee, amount }: Price, { language, profile }: Reading): Row => {
  const { row, value } = catalogues[language];
  const isUnknown = fee === undefined && profile.environment === 'production';
  const charged = fee ?? { minor: 0, currency: amount.currency };
  return {
    label: row.charges,
    value: isUnknown ? value.tariff : amountFigure(charged, { language, profile }),
  };
};

/** The total debit, if it differs from the amount, and the bank's exchange rate (contract 8, FX). */
export const priceRows = (price: Price, reading: Reading): readonly Row[] => {
  const { language } = reading;
  const { row } = catalogues[language];
  const { amount, rate } = price;
  const total = computeTotalDebit(price);
  const isPlain = total.currency === amount.currency && total.minor === amount.minor;
  return [
    ...(rate === undefined
      ? []
      : [
          {
            label: row.rate,
            value: `1 ${amount.currency} = ${rateFigure(rate, language)} ${total.currency}`,
          },
        ]),
    ...(isPlain ? [] : [{ label: row.total, value: amountFigure(total, reading) }]),
  ];
};
