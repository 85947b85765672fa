import type { SignedPayment } from '@xs2a/contracts/payments.contract';
import { textOfCode } from '@xs2a/domain/payment/instant/instant-answer';
import { isInstant } from '@xs2a/domain/payment/instant/instant-payments';
import { type Html, html } from '@xs2a/html/html';
import type { Row } from '../requests/authorisation-request.js';
import type { Catalogue, Language } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import { accountFigure, amountFigure } from './figures.js';
import { dateText } from './language.js';
import { askFold, type ListView } from './own-form.js';
import { payeeCountRows } from '../review/payee-rows.js';
import { scheduleText } from '../review/schedule-text.js';
import { rowList } from './row-list.js';

/** A payment initiation that the PSU signed, with the name of its TPP. */
export type NamedPayment = SignedPayment & { readonly tppName: string };
type State = keyof Catalogue['payments']['status'];

/** The text for an authorisation that was not executed; undefined if it was executed or still will be. */
const endOfAuthorisation = ({
  transactionStatus,
  rejectionReason,
  stoppedBy,
}: SignedPayment): State | undefined => {
  if (transactionStatus === 'PATC') return 'partly';
  if (stoppedBy !== undefined) return stoppedBy === 'psu' ? 'stopped' : 'stoppedBySigner';
  if (transactionStatus === 'CANC') return 'cancelled';
  // This PSU has signed, so another signer refused.
  if (rejectionReason === 'psu-refused' || rejectionReason === 'psu-cancelled') return 'refused';
  if (rejectionReason === 'not-authorised-in-time') return 'lapsed';
  return transactionStatus === 'RJCT' ? 'rejected' : undefined;
};

const orderState = ({ transactionStatus }: SignedPayment): State => {
  if (transactionStatus === 'ACSC') return 'ended';
  return transactionStatus === 'ACSP' ? 'running' : 'firstToCome';
};

const execution = ({ transactionStatus, fundsAvailable, product }: SignedPayment): State => {
  if (transactionStatus === 'ACSC') return 'done';
  if (transactionStatus === 'ACSP') return 'executing';
  // The parts of an instant one fail for several reasons.
  if (transactionStatus === 'PART')
    return product !== undefined && isInstant({ product }) ? 'someDone' : 'partlyDone';
  return fundsAvailable === false ? 'unfunded' : 'waiting';
};

/**
 * The rows for one payment: its payee and date, the schedule of a periodic order, or the number of payments of a
 * bulk payment.
 */
const paymentRows = (payment: NamedPayment, { language, timeZone }: ListView): readonly Row[] => {
  const { row, value } = catalogues[language];
  const { service, schedule, creditorName, numberOfPayments } = payment;
  const dayRow = (label: string, day: string | undefined): readonly Row[] =>
    day === undefined ? [] : [{ label, value: value.on(dateText(day, language, timeZone)) }];
  if (service === 'bulk-payments')
    return [
      { label: row.type, value: value.kind.bulk },
      { label: row.numberOfPayments, value: String(numberOfPayments) },
      { label: row.payee, value: value.firstOf(creditorName, numberOfPayments) },
      ...dayRow(row.when, payment.executionDate),
    ];
  const payee = [{ label: row.payee, value: creditorName }];
  if (schedule === undefined) return [...payee, ...dayRow(row.when, payment.executionDate)];
  return [
    { label: row.type, value: value.kind.order },
    ...payee,
    { label: row.when, value: scheduleText(schedule, language) },
    ...dayRow(row.nextDate, payment.nextExecutionDate),
  ];
};

const stopFold = ({ paymentId, creditorName }: NamedPayment, view: ListView): Html => {
  const { orders } = catalogues[view.language];
  return askFold(view, {
    field: 'paymentId',
    value: paymentId,
    decision: 'stop',
    open: orders.stop,
    warning: orders.stopAsk,
    submit: orders.stopNow,
    label: orders.stopLabel(creditorName),
  });
};

/** What the receipt after the signature showed, to be read or printed later. */
const receiptRows = (payment: NamedPayment, { language, timeZone }: ListView): readonly Row[] => {
  const { row, ends } = catalogues[language];
  const { service, creditorAccount, debtorIban, remittance, paymentId, signedAt, tppName } = payment;
  return [
    ...(service === 'bulk-payments'
      ? []
      : [{ label: row.payeeAccount, value: accountFigure(creditorAccount) }]),
    ...payeeCountRows(payment.payeeCounts, language).filter(({ isBrief }) => isBrief === true),
    { label: row.from, value: accountFigure(debtorIban) },
    ...(remittance === undefined ? [] : [{ label: row.remittance, value: remittance }]),
    { label: ends.signedAt, value: `${dateText(signedAt, language, timeZone)}, ${tppName}` },
    { label: ends.reference, value: html`<small class="reference">${paymentId}</small>` },
  ];
};

const stateText = (payment: NamedPayment, language: Language): string => {
  const { payments, ends } = catalogues[language];
  if (payment.reasonCode !== undefined)
    return payments.notMade(textOfCode(ends.instant.reason, payment.reasonCode));
  const carriedOut = payment.service === 'periodic-payments' ? orderState : execution;
  return payments.status[endOfAuthorisation(payment) ?? carriedOut(payment)];
};

const paymentEntry = (payment: NamedPayment, view: ListView): Html => {
  const { language } = view;
  const { payments: texts } = catalogues[language];
  return html`<li>
    <h3>${amountFigure(payment.amount, view)}</h3>
    ${rowList([...paymentRows(payment, view), { label: texts.state, value: stateText(payment, language) }])}
    <details>
      <summary>${texts.receipt}</summary>
      ${rowList(receiptRows(payment, view))}
    </details>
    ${payment.canBeStopped ? stopFold(payment, view) : undefined}
  </li>`;
};

/** The payments that the PSU signed, newest first; an order that can still pay has a form to stop it (contract 12). */
export const paymentsList = (view: ListView, payments: readonly NamedPayment[], none: string): Html =>
  payments.length === 0
    ? html`<p>${none}</p>`
    : html`<ul class="entries">
        ${payments.map((payment) => paymentEntry(payment, view))}
      </ul>`;
