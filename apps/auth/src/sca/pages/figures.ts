import { isIban } from '@xs2a/domain/iban/iban';
import { formatAmount } from '@xs2a/domain/money/money';
import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import type { Profile } from '@xs2a/domain/profile/profile';
import { amountFigure as written, ibanFigure, locales } from '@xs2a/html/figures';
import { type Html, html } from '@xs2a/html/html';
import type { Language } from '../catalogue/catalogue.js';

/** For whom a figure is written: the notation of amounts depends on the bank's home currency. */
interface FigureReader {
  readonly language: Language;
  readonly profile: Pick<Profile, 'homeCurrency'>;
}

export const amountFigure = (amount: MinorAmount, { language, profile }: FigureReader): Html =>
  written({ amount: formatAmount(amount), currency: amount.currency }, language, profile.homeCurrency);

/** An IBAN in groups of characters; any other account identification exactly as submitted. */
export const accountFigure = (account: string): Html =>
  isIban(account) ? ibanFigure(account) : html`<span class="account">${account}</span>`;

/** An exchange rate with all its decimals, in the number format of the language. */
export const rateFigure = (rate: string, language: Language): string =>
  new Intl.NumberFormat(locales[language], { maximumFractionDigits: 6 }).format(rate as `${number}`);
