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
 * of any size, because no floating point is used.
 */
export const amountText = ({ amount, currency }: WrittenAmount, language: FigureLanguage): string => {
  const digits = amount.split('.')[1]?.length ?? 0;
  return new Intl.NumberFormat(locales[language], {
    style: 'currency',
    currency,
    // The ISO code is shown if the language has no symbol for the currency.
    currencyDisplay: language === 'bg' ? 'symbol' : 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount as `${number}`);
};

/** Shows an amount on a page, together with its API format for programs. */
export const amountFigure = (amount: WrittenAmount, language: FigureLanguage): Html =>
  html`<data value="${amount.amount} ${amount.currency}">${amountText(amount, language)}</data>`;

/** Shows an IBAN in groups of four. Copying it yields the IBAN without spaces. */
export const ibanFigure = (iban: string): Html =>
  html`<data class="account" value="${iban}"
    >${(iban.match(/.{1,4}/g) ?? []).map((group) => html`<span>${group}</span>`)}</data
  >`;
