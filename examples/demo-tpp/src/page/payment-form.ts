import { type Html, html } from '@xs2a/html/html';
import type { Market } from '../bank/market.js';
import type { Outcome } from '../bank/initiations.js';
import { parseAmount } from './amounts.js';
import { amountField, debtorField, textField } from './form-fields.js';
import { Redirect } from './layout.js';
import { nextOf } from './parts.js';
import type { Visit } from './visit.js';

/** The fields common to a payment, a budget payment and a standing order, as the user filled them in. */
export interface EnteredPayment {
  readonly debtorIban: string;
  readonly amount: string;
  readonly creditorName: string;
  readonly creditorIban: string;
  readonly remittance: string;
}

/** The initial values of the form: a payee at another bank in the sandbox. */
export const examplePayment: EnteredPayment = {
  debtorIban: '',
  amount: '',
  creditorName: 'Petar Ivanov',
  creditorIban: 'BG26RZBB91551023456789',
  remittance: 'Invoice 1',
};

export const paymentFields = (visit: Visit, entered: EnteredPayment): Html =>
  html`${debtorField(visit, entered.debtorIban)}
  ${textField('creditorName', 'Payee', entered.creditorName, { maxlength: 70 })}
  ${textField('creditorIban', 'Payee account (IBAN)', entered.creditorIban, { maxlength: 34 })}
  ${amountField(visit.market, entered.amount)}
  ${textField('remittance', 'Reason for payment', entered.remittance)}`;

export const readField = (form: URLSearchParams, name: string): string =>
  (form.get(name) ?? '').trim().slice(0, 140);
export const readIban = (form: URLSearchParams, name: string): string =>
  readField(form, name).replaceAll(/\s/g, '').toUpperCase();

export const readPayment = (form: URLSearchParams): EnteredPayment => ({
  debtorIban: readIban(form, 'debtorIban'),
  amount: readField(form, 'amount'),
  creditorName: readField(form, 'creditorName'),
  creditorIban: readIban(form, 'creditorIban'),
  remittance: readField(form, 'remittance'),
});

/** Builds the members of the request body for these fields. */
export const paymentBody = (entered: EnteredPayment, market: Market): Readonly<Record<string, unknown>> => ({
  debtorAccount: { iban: entered.debtorIban },
  instructedAmount: { amount: entered.amount, currency: market.currency },
  creditorAccount: { iban: entered.creditorIban },
  creditorName: entered.creditorName,
  remittanceInformationUnstructured: entered.remittance,
  ...market.transferFields,
});

const commonFields: Readonly<Record<string, string>> = {
  debtorAccount: 'debtorIban',
  creditorAccount: 'creditorIban',
  creditorName: 'creditorName',
  instructedAmount: 'amount',
  remittanceInformationUnstructured: 'remittance',
};

/**
 * Finds the form field for a path in the bank's response, such as `creditorAccount.iban`. The form may add its own
 * fields.
 */
export const findField =
  (further: Readonly<Record<string, string>> = {}) =>
  (path: string): string | undefined => {
    const fields = new Map(Object.entries({ ...commonFields, ...further }));
    return fields.get(path) ?? fields.get(path.split(/[.[]/, 1)[0] ?? '');
  };

/** The buttons of an initiation form: sign at the bank now, or keep the payment for a basket. */
export const goOnButtons = html`<div class="buttons">
  <button>Continue to the bank</button>
  <button class="secondary" name="then" value="basket">Keep for a basket</button>
</div>`;

/**
 * Continues after the bank has accepted the initiation, either with the signature or with the choice of items for
 * a basket.
 */
export const goOn = (
  { session, form }: Visit,
  initiated: Exclude<Outcome, { refused: unknown }>,
): Redirect => {
  if (form.get('then') !== 'basket') return nextOf(initiated);
  session.notice = {
    text: 'It is kept for a basket. Sign it within 15 minutes.',
    isGood: true,
  };
  return new Redirect('/baskets');
};

/** The entered amount as the API writes it; undefined, with a notice for the next page, if the text is not an amount. */
export const readAmount = ({ session }: Visit, text: string | null): string | undefined => {
  const amount = parseAmount(text);
  if (amount === undefined) session.notice = { text: 'Write the amount as digits, such as 12.50.' };
  return amount;
};
