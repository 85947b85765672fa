import { type Html, html } from './html.js';

/** The locale by which dates and amounts are written in each language. */
export const locales = { bg: 'bg-BG', en: 'en-GB' } as const;
export type FigureLanguage = keyof typeof locales;

/** As the API writes it: `12.50` of `BGN`. */
export interface WrittenAmount {
  readonly amount: string;
  readonly currency: string;
}

/** An amount as a reader of that language expects it: `2,00 лв.`, `BGN 2.00`. Exact at any size: no floating point. */
export const amountText = ({ amount, currency }: WrittenAmount, language: FigureLanguage): string => {
  const digits = amount.split('.')[1]?.length ?? 0;
  return new Intl.NumberFormat(locales[language], {
    style: 'currency',
    currency,
    // The standard's code where the language has no sign of its own for the currency.
    currencyDisplay: language === 'bg' ? 'symbol' : 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount as `${number}`);
};

/** An amount on a page; programs find it as the API writes it. */
export const amountFigure = (amount: WrittenAmount, language: FigureLanguage): Html =>
  html`<data value="${amount.amount} ${amount.currency}">${amountText(amount, language)}</data>`;

/** An IBAN in groups of four, which are copied as one. */
export const ibanFigure = (iban: string): Html =>
  html`<data class="account" value="${iban}"
    >${(iban.match(/.{1,4}/g) ?? []).map((group) => html`<span>${group}</span>`)}</data
  >`;
