import { type Html, html } from './html.js';

/** The locale for dates and amounts in each language. */
export const locales = { bg: 'bg-BG', en: 'en-GB' } as const;
export type FigureLanguage = keyof typeof locales;

/** The API format: `12.50` and `BGN`. */
export interface WrittenAmount {
  readonly amount: string;
  readonly currency: string;
}

/**
 * Formats an amount as readers of the language expect it: `2,00 лв.`, `BGN 2.00`. Exact at any size because it
 * uses no floating point.
 */
export const amountText = ({ amount, currency }: WrittenAmount, language: FigureLanguage): string => {
  const digits = amount.split('.')[1]?.length ?? 0;
  return new Intl.NumberFormat(locales[language], {
    style: 'currency',
    currency,
    // The ISO code if the language has no symbol for the currency.
    currencyDisplay: language === 'bg' ? 'symbol' : 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount as `${number}`);
};

/** An amount on a page, with the API format for programs. */
export const amountFigure = (amount: WrittenAmount, language: FigureLanguage): Html =>
  html`<data value="${amount.amount} ${amount.currency}">${amountText(amount, language)}</data>`;

/** An IBAN shown in groups of four and copied without spaces. */
export const ibanFigure = (iban: string): Html =>
  html`<data class="account" value="${iban}"
    >${(iban.match(/.{1,4}/g) ?? []).map((group) => html`<span>${group}</span>`)}</data
  >`;
