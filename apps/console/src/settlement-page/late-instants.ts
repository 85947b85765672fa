import type { LateInstant, LateInstantRef } from '@xs2a/contracts/instant/late-instants.contract';
import { formatAmount } from '@xs2a/domain/money/money';
import { type Html, html } from '@xs2a/html/html';
import { actionForm } from '../actions/action-form.js';
import { lateInstantId } from '../actions/late-instant-id.js';
import { runbookPath } from '../runbooks/runbooks.js';
import { timeOf } from '../pages/times.js';
import { maxRows, paymentLink } from './settlement-page.js';

/**
 * The instant payments that were confirmed after their rejection; undefined if there are none. `mayClose`: the person may
 * close them.
 */
export const lateInstantTable = (payments: readonly LateInstant[], mayClose: boolean): Html | undefined =>
  payments.length === 0
    ? undefined
    : html`<section class="card wide" tabindex="0" id="confirmed-late" aria-label="Confirmed after rejection">
        <table>
          <caption>
            Instant payments confirmed after their rejection, newest
            first${payments.length === maxRows ? `, the first ${maxRows}` : ''}
          </caption>
          <thead>
            <tr>
              <th scope="col">payment</th>
              <th scope="col">confirmed (UTC, real time)</th>
              <th scope="col" class="number">amount</th>
              ${mayClose ? html`<th scope="col">handled?</th>` : undefined}
            </tr>
          </thead>
          <tbody>
            ${payments.map((payment) => lateRow(payment, mayClose))}
          </tbody>
        </table>
        <p><a href="${runbookPath('instant-answered-late')}">What to do</a></p>
      </section>`;

const lateRow = ({ confirmedAt, amount, ...payment }: LateInstant, mayClose: boolean): Html => {
  const entry = payment.number === null ? '' : ` #${payment.number}`;
  return html`<tr class="is-attention">
    <td class="mono">${paymentLink(payment.paymentId)}${entry}</td>
    <td class="mono">${timeOf(confirmedAt)}</td>
    <td class="number">${amount && `${formatAmount(amount)} ${amount.currency}`}</td>
    ${mayClose ? html`<td><a href="${closePath(payment)}">Close</a></td>` : undefined}
  </tr>`;
};

const closePath = (payment: LateInstantRef): string =>
  `/settlement/late/${encodeURIComponent(lateInstantId(payment))}`;

/** The page on which an operator closes one. */
export const closeBody = (payment: LateInstantRef, csrf: string): Html => html`
  <section class="card" aria-label="Close">
    <h2 class="mono">${lateInstantId(payment)}</h2>
    <p><a href="/payments/${payment.paymentId}">Show the payment</a></p>
    ${actionForm({
      csrf,
      to: '/settlement/late/close',
      does: 'Takes the payment off the list of late confirmations, once it is returned or booked as a loss. Nothing else changes: it stays RJCT.',
      button: 'Close',
      command: `xs2a settlement late close ${lateInstantId(payment)}`,
      hidden: { payment: lateInstantId(payment) },
    })}
  </section>
`;
