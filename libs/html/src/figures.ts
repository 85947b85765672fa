import { type Html, html } from './html.js';

/** The locale for dates and amounts in each language. */
export const locales = { bg: 'bg-BG', en: 'en-GB' } as const;
export type FigureLanguage = keyof typeof locales;

/** An amount and currency in the API format, for example `12.50` and `BGN`. */
export interface WrittenAmount {
  readonly amount: string;
  readonly currency: string;
}

/**
 * Formats an amount as readers of the language expect it, for example `2,00 лв.` or `BGN 2.00`. Exact for amounts
 * of any size, because no floating point is used. Where the home currency is the euro, the notation is that of
 * contract E7.1: `1 234,50 €` (U+00A0, grouped from four digits) and `€1,234.50`.
 */
export const amountText = (
  { amount, currency }: WrittenAmount,
  language: FigureLanguage,
  homeCurrency = 'BGN',
): string => {
  const digits = amount.split('.')[1]?.length ?? 0;
  const isEuroHome = homeCurrency === 'EUR';
  return new Intl.NumberFormat(locales[language], {
    style: 'currency',
    currency,
    // The ISO code is shown if the language has no symbol for the currency.
    currencyDisplay: language === 'bg' || (isEuroHome && currency === 'EUR') ? 'symbol' : 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: isEuroHome ? 'always' : 'auto',
  }).format(amount as `${number}`);
};

/** Formats an amount in euro with the amount in leva from which it was converted: `51,13 € (100,00 лв.)`. */
export const convertedText = (
  { euro, lev }: { readonly euro: string; readonly lev: string },
  language: FigureLanguage,
): string =>
  `${amountText({ amount: euro, currency: 'EUR' }, language, 'EUR')} (${amountText({ amount: lev, currency: 'BGN' }, language, 'EUR')})`;

/** Shows an amount on a page, together with its API format for programs. */
export const amountFigure = (
  amount: WrittenAmount,
  language: FigureLanguage,
  homeCurrency?: string,
): Html => {
  const text = amountText(amount, language, homeCurrency);
  return html`<data value="${amount.amount} ${amount.currency}">${text}</data>`;
};

/** Shows an IBAN in groups of four. Copying it yields the IBAN without spaces. */
export const ibanFigure = (iban: string): Html =>
  html`<data class="account" value="${iban}"
    >${(iban.match(/.{1,4}/g) ?? []).map((group) => html`<span>${group}</span>`)}</data
  >`;
