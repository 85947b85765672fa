import { amountFigure, amountText } from '@xs2a/html/figures';
import { type Html, html } from '@xs2a/html/html';
import type { TppMessage } from '../bank/bank.js';
import { goOnButtons } from '../baskets/go-on.js';
import type { PaymentPlace } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import type { FundsAnswer } from '../accounts/funds-confirmation.js';
import { amountField, bankFaults, debtorField, textField } from '../page/form-fields.js';
import { form, page, type View } from '../page/page.js';
import {
  toEventsPath,
  notSignedNotice,
  paymentPlaceOf,
  statusRow,
  unlessUnsigned,
} from '../page/status-parts.js';
import type { PaymentState } from './payment-initiation.js';
import type { EnteredPayment } from './entered-payment.js';
import type { KnownAccount, KnownPayment } from '../page/sessions.js';

/** `asked`: the amount and the bank's answer. */
export const fundsPage = (
  view: View,
  isAllowed: boolean,
  asked?: { readonly amount: string; readonly answer: FundsAnswer },
): Html => {
  const { funds } = catalogues[view.language];
  const amount =
    asked === undefined ? '' : amountText({ amount: asked.amount, currency: 'BGN' }, view.language);
  const answers: Partial<Record<FundsAnswer, string>> = {
    yes: funds.yes(amount),
    no: funds.no(amount),
    'not-taken': funds.notTaken,
  };
  const answer = asked && answers[asked.answer];
  const body = isAllowed
    ? form(view, '/funds', html`${amountField(funds.amount)} <button>${funds.ask}</button>`)
    : html`<p>${funds.allowText}</p>
        ${form(view, '/funds/allow', html`<button>${funds.allow}</button>`)}`;
  return page(
    view,
    funds.title,
    html`<p>${funds.lead}</p>
      ${answer === undefined ? undefined : html`<p class="answer" role="status">${answer}</p>`} ${body}`,
  );
};

/** The values in the empty payment form: a payee at another bank of the sandbox. */
export const examplePayment: EnteredPayment = {
  debtorIban: '',
  amount: '',
  creditorName: 'Petar Ivanov',
  creditorIban: 'BG26RZBB91551023456789',
  remittance: 'Invoice 1',
};

export const payPage = (
  view: View,
  accounts: readonly KnownAccount[],
  entered: EnteredPayment,
  refused: readonly TppMessage[] = [],
): Html => {
  const { pay, budget } = catalogues[view.language];
  return page(
    view,
    pay.title,
    html`<p>${pay.lead}</p>
      ${bankFaults(view, refused)}
      ${form(
        view,
        '/pay',
        html`${debtorField(pay.from, accounts, entered.debtorIban)}
        ${textField('creditorName', pay.payee, entered.creditorName, { maxlength: 70 })}
        ${textField('creditorIban', pay.payeeAccount, entered.creditorIban, { maxlength: 34 })}
        ${amountField(pay.amount, entered.amount)} ${textField('remittance', pay.reason, entered.remittance)}
        ${goOnButtons(view)}`,
      )}
      <p><a href="/budget">${budget.title}</a></p>`,
  );
};

const getPlace = (state: PaymentState | undefined, known: KnownPayment): PaymentPlace => {
  if (state === undefined) return 'unknown';
  if (state.fundsAvailable === false) return 'unfunded';
  return unlessUnsigned(paymentPlaceOf(state.transactionStatus), known);
};

/** `seen`: the version of the status that the bank had sent when it was asked. */
export const paymentPage = (
  view: View,
  known: KnownPayment,
  state: PaymentState | undefined,
  seen: number,
): Html => {
  const { payment, pay } = catalogues[view.language];
  const place = getPlace(state, known);
  const isFinal = !['unsigned', 'accepted', 'executing'].includes(place);
  return page(
    view,
    payment.title,
    html`${notSignedNotice(view, known)}
      <dl>
        ${statusRow(view, payment.place[place], state)}
        <dt>${payment.amount}</dt>
        <dd class="amount">${amountFigure(known, view.language)}</dd>
        <dt>${payment.to}</dt>
        <dd>${known.creditorName}</dd>
      </dl>
      <div id="again" data-live>
        ${isFinal ? undefined : html`<p><a href="${view.path}">${payment.again}</a></p>`}
      </div>
      <p><a href="/pay" aria-label="${payment.another} (${pay.title})">${payment.another}</a></p>`,
    isFinal ? undefined : toEventsPath(view, seen),
  );
};

export const notFoundPage = (view: View): Html => {
  const { title, text } = catalogues[view.language].notFound;
  return page(view, title, html`<p>${text}</p>`);
};
