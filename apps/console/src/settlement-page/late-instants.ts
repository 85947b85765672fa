import type { LateInstant } from '@xs2a/contracts/instant/late-instants.contract';
import { formatAmount } from '@xs2a/domain/money/money';
import { type Html, html } from '@xs2a/html/html';
import { runbookPath } from '../runbooks/runbooks.js';
import { timeOf } from '../pages/times.js';
import { maxRows, paymentLink } from './settlement-page.js';

/** The instant payments that were confirmed after their rejection; undefined if there are none. */
export const lateInstantTable = (payments: readonly LateInstant[]): Html | undefined =>
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
            </tr>
          </thead>
          <tbody>
            ${payments.map(
              ({ paymentId, number, confirmedAt, amount }) =>
                html`<tr class="is-attention">
                  <td class="mono">${paymentLink(paymentId)}${number === null ? '' : ` #${number}`}</td>
                  <td class="mono">${timeOf(confirmedAt)}</td>
                  <td class="number">${amount && `${formatAmount(amount)} ${amount.currency}`}</td>
                </tr>`,
            )}
          </tbody>
        </table>
        <p><a href="${runbookPath('instant-answered-late')}">What to do</a></p>
      </section>`;
