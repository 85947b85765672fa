import { amountFigure, ibanFigure } from '@xs2a/html/figures';
import { type Html, html } from '@xs2a/html/html';
import type { TppMessage } from '../bank/bank.js';
import type { OccurrencePlace, OrderPlace } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import { dateFigure, monthName } from '../page/dates.js';
import { amountField, bankFaults, choiceField, debtorField, textField } from '../page/form-fields.js';
import { form, page, type View } from '../page/page.js';
import {
  toEventsPath,
  notSignedNotice,
  openActions,
  statusRow,
  unlessUnsigned,
} from '../page/status-parts.js';
import { examplePayment } from '../payments/payment-pages.js';
import type { KnownAccount, KnownOrder } from '../page/sessions.js';
import { frequencies, orderEnds, orderField, type EnteredOrder, weekendRules } from './entered-order.js';
import type { Occurrence, OrderState } from './standing-orders.js';

export const exampleOrder: EnteredOrder = {
  ...examplePayment,
  startDate: '',
  frequency: 'Monthly',
  dayOfExecution: '',
  months: [],
  end: 'none',
  endDate: '',
  numberOfPayments: '',
  weekend: 'following',
};

const scheduleFields = ({ language }: View, entered: EnteredOrder): Html => {
  const { order } = catalogues[language];
  const months = Array.from({ length: 12 }, (_, index) => String(index + 1));
  return html`${textField('startDate', order.startDate, entered.startDate, { type: 'date' })}
    ${choiceField(
      'frequency',
      order.frequency,
      entered.frequency,
      frequencies.map((value) => ({ value, text: order.frequencies[value] })),
    )}
    ${textField('dayOfExecution', order.dayOfExecution, entered.dayOfExecution, {
      maxlength: 2,
      inputmode: 'numeric',
      isOptional: true,
      hint: order.dayHint,
    })}
    <fieldset id="months">
      <legend>${order.months}</legend>
      <p class="hint">${order.monthsHint}</p>
      <div class="choices">
        ${months.map(
          (month) =>
            html`<label
              ><input
                type="checkbox"
                name="months"
                value="${month}"
                ${entered.months.includes(month) ? html`checked` : undefined}
              />${monthName(month, language)}</label
            >`,
        )}
      </div>
    </fieldset>
    <fieldset id="end">
      <legend>${order.end}</legend>
      ${orderEnds.map(
        (end) =>
          html`<label
            ><input
              type="radio"
              name="end"
              value="${end}"
              ${end === entered.end ? html`checked` : undefined}
            />
            ${order.ends[end]}</label
          >`,
      )}
      ${textField('endDate', order.endDate, entered.endDate, { type: 'date', isOptional: true })}
      ${textField('numberOfPayments', order.numberOfPayments, entered.numberOfPayments, {
        maxlength: 3,
        inputmode: 'numeric',
        isOptional: true,
      })}
    </fieldset>
    ${choiceField(
      'weekend',
      order.weekend,
      entered.weekend,
      weekendRules.map((value) => ({ value, text: order.weekends[value] })),
    )}`;
};

export const orderFormPage = (
  view: View,
  accounts: readonly KnownAccount[],
  entered: EnteredOrder,
  refused: readonly TppMessage[] = [],
): Html => {
  const { order, pay } = catalogues[view.language];
  return page(
    view,
    order.title,
    html`<p>${order.lead}</p>
      ${bankFaults(view, refused, orderField)}
      ${form(
        view,
        '/orders',
        html`${debtorField(pay.from, accounts, entered.debtorIban)}
          ${textField('creditorName', pay.payee, entered.creditorName, { maxlength: 70 })}
          ${textField('creditorIban', pay.payeeAccount, entered.creditorIban, { maxlength: 34 })}
          ${amountField(pay.amount, entered.amount)}
          ${textField('remittance', pay.reason, entered.remittance)} ${scheduleFields(view, entered)}
          <button>${pay.submit}</button>`,
      )}`,
  );
};

const places: Readonly<Record<string, OrderPlace>> = {
  RCVD: 'unsigned',
  ACCP: 'accepted',
  ACSP: 'running',
  ACSC: 'ended',
  RJCT: 'rejected',
  CANC: 'cancelled',
};

const getPlace = (state: OrderState | undefined, known: KnownOrder): OrderPlace =>
  unlessUnsigned(places[state?.transactionStatus ?? ''] ?? 'unknown', known);

/** The result of an occurrence. Its own status stays ACTC until the order ends, so the funds show whether it ran. */
const occurrencePlace = ({ transactionStatus, fundsAvailable }: Occurrence): OccurrencePlace => {
  if (fundsAvailable === false) return 'skipped';
  if (fundsAvailable === true) return 'ran';
  return transactionStatus === 'CANC' ? 'cancelled' : 'next';
};

const occurrenceList = ({ language }: View, occurrences: readonly Occurrence[]): Html => {
  const { order } = catalogues[language];
  if (occurrences.length === 0) return html`<p>${order.noOccurrences}</p>`;
  return html`<ol class="cards">
    ${occurrences.map((one) => {
      const place = occurrencePlace(one);
      return html`<li>
        <p>${dateFigure(one.executionDate, language)}</p>
        <p class="${place}">${order.occurrencePlace[place]}</p>
      </li>`;
    })}
  </ol>`;
};

/** `seen`: the version of the status that the bank had sent when it was asked. */
export const orderPage = (
  view: View,
  known: KnownOrder,
  state: OrderState | undefined,
  seen: number,
): Html => {
  const { order, payment } = catalogues[view.language];
  const { entered } = known;
  const place = getPlace(state, known);
  const isFinal = !['unsigned', 'accepted', 'running'].includes(place);
  return page(
    view,
    order.title,
    html`${notSignedNotice(view, known)}
      <dl>
        ${statusRow(view, order.place[place], state)}
        <dt>${payment.amount}</dt>
        <dd class="amount">${amountFigure({ amount: entered.amount, currency: 'BGN' }, view.language)}</dd>
        <dt>${payment.to}</dt>
        <dd>${entered.creditorName}<br />${ibanFigure(entered.creditorIban)}</dd>
        <dt>${order.frequency}</dt>
        <dd>${order.frequencies[entered.frequency]}</dd>
      </dl>
      <h2>${order.occurrences}</h2>
      <div id="occurrences" data-live>${occurrenceList(view, state?.occurrences ?? [])}</div>
      <div id="actions" data-live>${isFinal ? undefined : openActions(view, order.cancel)}</div>
      <p><a href="/orders">${order.another}</a></p>`,
    isFinal ? undefined : toEventsPath(view, seen),
  );
};
