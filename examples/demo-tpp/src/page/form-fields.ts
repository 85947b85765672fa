import { type Html, html } from '@xs2a/html/html';
import type { Market } from '../bank/market.js';
import type { Visit } from './visit.js';

interface FieldOptions {
  readonly maxlength?: number;
  readonly type?: 'text' | 'date' | 'number';
  readonly inputmode?: 'decimal' | 'numeric';
  readonly isOptional?: boolean;
  /** A hint above the field. */
  readonly hint?: string;
}

export const textField = (
  name: string,
  label: string,
  value: string,
  { maxlength = 140, type = 'text', inputmode, isOptional = false, hint }: FieldOptions = {},
): Html =>
  html`<label for="${name}">${label}</label>
    ${hint === undefined ? undefined : html`<p class="hint" id="${name}-hint">${hint}</p>`}
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      maxlength="${maxlength}"
      autocomplete="off"
      ${inputmode === undefined ? undefined : html`inputmode="${inputmode}"`}
      ${hint === undefined ? undefined : html`aria-describedby="${name}-hint"`}
      ${isOptional ? undefined : html`required`}
    />`;

export const amountField = ({ currency }: Market, value = ''): Html =>
  textField('amount', `Amount in ${currency}`, value, { maxlength: 18, inputmode: 'decimal' });

export const choiceField = (
  name: string,
  label: string,
  chosen: string,
  options: Readonly<Record<string, string>>,
): Html =>
  html`<label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${Object.entries(options).map(
        ([value, text]) =>
          html`<option value="${value}" ${value === chosen ? html`selected` : undefined}>${text}</option>`,
      )}
    </select>`;

/** A checkbox or a radio button, with its label. */
export const tick = (
  type: 'checkbox' | 'radio',
  name: string,
  value: string,
  label: string,
  isTicked: boolean,
): Html =>
  html`<label class="tick"
    ><input
      type="${type}"
      name="${name}"
      value="${value}"
      ${isTicked ? html`checked` : undefined}
    />${label}</label
  >`;

/** The account to pay from: one of the connected accounts, or any account that the person enters. */
export const debtorField = ({ session, market }: Pick<Visit, 'session' | 'market'>, chosen: string): Html => {
  const label = 'From account (IBAN)';
  const payable = session.accounts
    .filter(({ currency }) => currency === market.currency)
    .map(({ iban }) => iban);
  const isListed = payable.length > 0 && (chosen === '' || payable.includes(chosen));
  return isListed
    ? choiceField('debtorIban', label, chosen, Object.fromEntries(payable.map((iban) => [iban, iban])))
    : textField('debtorIban', label, chosen || (session.person?.iban ?? ''), { maxlength: 34 });
};
