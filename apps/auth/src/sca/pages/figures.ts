import { isIban } from '@xs2a/domain/iban/iban';
import { formatAmount } from '@xs2a/domain/money/money';
import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import type { Profile } from '@xs2a/domain/profile/profile';
import { amountFigure as written, convertedText, ibanFigure, locales } from '@xs2a/html/figures';
import { type Html, html } from '@xs2a/html/html';
import type { Language } from '../catalogue/catalogue.js';

/** For whom a figure is written: the notation of amounts depends on the bank's home currency. */
interface FigureReader {
  readonly language: Language;
  readonly profile: Pick<Profile, 'homeCurrency'>;
}

export const amountFigure = (amount: MinorAmount, { language, profile }: FigureReader): Html =>
  written({ amount: formatAmount(amount), currency: amount.currency }, language, profile.homeCurrency);

/** An amount in euro, together with the amount in leva from which it will be converted. */
export const convertedFigure = (
  { euro, lev }: { readonly euro: MinorAmount; readonly lev: MinorAmount },
  language: Language,
): Html =>
  html`<data value="${formatAmount(lev)} ${lev.currency}"
    >${convertedText({ euro: formatAmount(euro), lev: formatAmount(lev) }, language)}</data
  >`;

/** An IBAN in groups of characters; any other account identification exactly as submitted. */
export const accountFigure = (account: string): Html =>
  isIban(account) ? ibanFigure(account) : html`<span class="account">${account}</span>`;

/** An exchange rate with all its decimals, in the number format of the language. */
export const rateFigure = (rate: string, language: Language): string =>
  new Intl.NumberFormat(locales[language], { maximumFractionDigits: 6 }).format(rate as `${number}`);
