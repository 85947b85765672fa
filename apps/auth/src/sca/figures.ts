import { isIban } from '@xs2a/domain/iban/iban';
import { formatAmount } from '@xs2a/domain/money/money';
import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import type { Language } from './catalogue/catalogue.js';
import { type Html, html } from './html.js';
import { locales } from './language.js';

/** An amount as a reader of that language expects it: `2,00 лв.`, `BGN 2.00`. Exact at any size: no floating point. */
export const amountText = (amount: MinorAmount, language: Language): string => {
  const exact = formatAmount(amount);
  const digits = exact.split('.')[1]?.length ?? 0;
  return new Intl.NumberFormat(locales[language], {
    style: 'currency',
    currency: amount.currency,
    // The standard's code where the language has no sign of its own for the currency.
    currencyDisplay: language === 'bg' ? 'symbol' : 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(exact as `${number}`);
};

/** An amount on a page; programs find it as the API writes it. */
export const amountFigure = (amount: MinorAmount, language: Language): Html =>
  html`<data value="${formatAmount(amount)} ${amount.currency}">${amountText(amount, language)}</data>`;

/** An account: an IBAN in groups of four, which are copied as one; any other identification as it is. */
export const accountFigure = (account: string): Html =>
  isIban(account)
    ? html`<data class="account" value="${account}"
        >${(account.match(/.{1,4}/g) ?? []).map((group) => html`<span>${group}</span>`)}</data
      >`
    : html`<span class="account">${account}</span>`;

/** A rate of exchange with its own decimals, as a reader of that language writes numbers. */
export const rateFigure = (rate: string, language: Language): string =>
  new Intl.NumberFormat(locales[language], { maximumFractionDigits: 6 }).format(rate as `${number}`);
