import { type Html, html } from '@xs2a/html/html';
import { instant } from '../workspace/instant.js';
import type { Session } from '../workspace/session.js';
import { earlier, csrfField, keyField, workspacePage } from '../workspace/workspace-page.js';
import type { Listed, OwnPayment, TimelineEvent } from './own-things.js';
import { signForm } from './signing.js';
import { endedBadly, endedWell, pillOf, unsigned, whatHappened } from './timelines.js';

/** True for a payment that has ended in ACCP because the account did not cover it. */
const isUnfunded = ({ transactionStatus, fundsAvailable }: OwnPayment): boolean =>
  transactionStatus === 'ACCP' && fundsAvailable === false;

/** The payments, orders and bulk payments of the TPP. */
export const paymentsPage = (session: Session, { items, next }: Listed<OwnPayment>): Html =>
  workspacePage({
    session,
    path: '/workspace/payments',
    title: 'Payments',
    body: html`<p class="lead">The payments, orders and bulk payments of your application, newest first.</p>
      ${
        items.length === 0
          ? html`<p>None. <a href="/workspace/try/initiatePayment">Try a payment</a>.</p>`
          : html`<ul class="rows calls">
              ${items.map(
                (payment) =>
                  html`<li>
                    ${pillOf(payment.transactionStatus)}
                    ${isUnfunded(payment) ? html`<span class="pill problem">no funds</span>` : undefined}
                    <a href="/workspace/payments/${payment.paymentId}"
                      ><b>${payment.amount.amount} ${payment.amount.currency}</b></a
                    >
                    <span>${payment.paymentService} ${payment.paymentProduct}</span>
                    <span class="quiet">${instant(payment.createdAt)}</span>
                  </li>`,
              )}
            </ul>`
      }
      ${earlier('/workspace/payments', next)}`,
  });

export interface ShownPayment {
  readonly session: Session;
  readonly paymentId: string;
  /** What happened, in the order of time. */
  readonly events: readonly TimelineEvent[];
  /** The number of older events. */
  readonly leftOut: number;
  readonly message?: Html;
}

/** What the user can let happen to a payment that has not ended. */
const actions = [
  ['settle', 'Settle now', 'executes a signed payment before its due time', 'signed'],
  ['expire', 'Expire now', 'rejects an unsigned payment, as if the time to sign had ended', 'unsigned'],
  ['cancel', 'Cancel', 'deletes the payment as your application would', 'any'],
] as const;

/**
 * True if nothing more happens to the payment: its status is final, the account did not cover it, or its events are
 * archived.
 */
const hasEnded = (last: TimelineEvent | undefined): boolean =>
  last === undefined ||
  last.type === 'funds-refused' ||
  last.status === 'PART' ||
  endedWell.has(last.status ?? '') ||
  endedBadly.has(last.status ?? '');

const actionForm = ({
  session,
  paymentId,
  events,
  leftOut,
}: Pick<ShownPayment, 'session' | 'paymentId' | 'events' | 'leftOut'>): Html => {
  // Only an order that is signed has so many events that older ones are left out.
  const state = leftOut > 0 || events.some(({ type }) => type === 'signed') ? 'signed' : 'unsigned';
  const possible = actions.filter(([, , , when]) => when === 'any' || when === state);
  return html`<form class="form" method="post" action="/workspace/payments/${paymentId}">
    ${csrfField(session)} ${keyField()}
    <p class="choices">
      ${possible.map(
        ([value, name, effect]) =>
          html`<button class="button second" name="action" value="${value}">
            ${name} <span class="quiet block">${effect}</span>
          </button>`,
      )}
    </p>
  </form>`;
};

/** One payment with what happened to it. */
export const paymentPage = ({ session, paymentId, events, leftOut, message }: ShownPayment): Html =>
  workspacePage({
    session,
    path: `/workspace/payments/${paymentId}`,
    title: 'Payment',
    body: html`<p class="quiet"><code>${paymentId}</code></p>
      ${message}
      ${hasEnded(events.at(-1)) ? html`<p>This payment has ended.</p>` : actionForm({ session, paymentId, events, leftOut })}
      ${
        unsigned.has(events.at(-1)?.status ?? '')
          ? signForm(session, `/workspace/payments/${paymentId}`)
          : undefined
      }
      ${whatHappened(events, leftOut, eventDetails)}
      <p><a href="/workspace/payments">All payments</a></p>`,
  });

const eventDetails = ({ type, number, executionDate, dueAt, reason, reasonCode }: TimelineEvent): Html =>
  html`${number === undefined ? undefined : html`<p>number ${number}</p>`}
  ${executionDate === undefined ? undefined : html`<p>planned for ${executionDate}</p>`}
  ${dueAt === undefined ? undefined : html`<p>due ${instant(dueAt)}</p>`}
  ${reason === undefined ? undefined : html`<p>${reason} ${reasonCode}</p>`}
  ${
    type === 'funds-refused'
      ? html`<p>
          The account did not cover it, or a simulation says so:
          <a href="/errors/FUNDS_NOT_AVAILABLE">FUNDS_NOT_AVAILABLE</a>
        </p>`
      : undefined
  }`;
