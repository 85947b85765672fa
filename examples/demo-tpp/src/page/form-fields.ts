import { type Html, html } from '@xs2a/html/html';
import type { TppMessage } from '../bank/bank.js';
import { catalogues } from '../catalogue/catalogues.js';
import type { View } from './page.js';
import type { KnownAccount } from './sessions.js';

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

export const amountField = (label: string, value = ''): Html =>
  textField('amount', label, value, { maxlength: 18, inputmode: 'decimal' });

export const choiceField = (
  name: string,
  label: string,
  chosen: string,
  options: readonly { readonly value: string; readonly text: string }[],
): Html =>
  html`<label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${options.map(
        ({ value, text }) =>
          html`<option value="${value}" ${value === chosen ? html`selected` : undefined}>${text}</option>`,
      )}
    </select>`;

/** The account to pay from: one of the connected accounts, or any that the person enters. */
export const debtorField = (label: string, accounts: readonly KnownAccount[], chosen: string): Html => {
  const payable = accounts.filter(({ currency }) => currency === 'BGN').map(({ iban }) => iban);
  const isListed = payable.length > 0 && (chosen === '' || payable.includes(chosen));
  return isListed
    ? choiceField(
        'debtorIban',
        label,
        chosen,
        payable.map((iban) => ({ value: iban, text: iban })),
      )
    : textField('debtorIban', label, chosen, { maxlength: 34 });
};

/** The bank's own reasons for a refusal, each with a link to its field if `fieldOf` finds it in the form. */
export const bankFaults = (
  { language }: View,
  refused: readonly TppMessage[],
  fieldOf: (path: string) => string | undefined = () => undefined,
  lead = catalogues[language].pay.refused,
): Html | undefined => {
  if (refused.length === 0) return undefined;
  const items = refused.map(({ code, path, text }) => {
    const field = path === undefined ? undefined : fieldOf(path);
    const place = [code, path].filter(Boolean).join(' ');
    return html`<li lang="en">
      ${field === undefined ? place : html`<a href="#${field}">${place}</a>`}${text === undefined ? '' : `: ${text}`}
    </li>`;
  });
  return html`<div class="notice" role="alert">
    <p>${lead}</p>
    <ul>
      ${items}
    </ul>
  </div>`;
};
