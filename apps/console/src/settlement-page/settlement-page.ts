import type { QueuedPayment, SettlementQueue } from '@xs2a/contracts/payments.contract';
import type { UnfinishedTransaction, UnfinishedTransactions } from '@xs2a/contracts/settlement.contract';
import { formatAmount } from '@xs2a/domain/money/money';
import { durationText } from '@xs2a/doctor/durations';
import { type Html, html } from '@xs2a/html/html';
import { timeOf } from '../pages/times.js';
import { figure } from '../pages/figure.js';
import type { NameOf } from '../tpps/tpp-names.js';
import { countText, countState, oldestSeconds } from './settlement-counts.js';

/** The most rows of each table. */
export const maxRows = 100;

/** How many payments are due and overdue, and since when. */
export const queueFigures = (
  queue: SettlementQueue,
  unfinished: UnfinishedTransactions | undefined,
): Html => {
  const overdue = countState(queue, 'overdue');
  return html`<dl class="figures">
    ${figure('Due', String(countState(queue, 'due') + overdue), 'to be settled now')}
    ${figure('Overdue', String(overdue), overdue === 0 ? 'of them, for more than a minute' : `of them, the oldest for ${durationText(oldestSeconds(queue) * 1000)}`)}
    ${figure('Later', countText(queue.later), 'orders, future days, entries to be booked')}
    ${figure('Failing', unfinished === undefined ? '?' : String(unfinished.failing), 'an attempt failed; the worker tries again')}
    ${figure('Dead letters', unfinished === undefined ? '?' : String(unfinished.deadLetters), 'events that the worker could not handle')}
  </dl>`;
};

/** Transactions that started or failed, those that failed first. */
export const transactionTable = (transactions: readonly UnfinishedTransaction[]): Html => {
  if (transactions.length === 0) return html`<p>No settlement is in progress, and none fails.</p>`;
  return html`<table>
    <caption>
      In progress and failing
    </caption>
    <thead>
      <tr>
        <th scope="col">payment</th>
        <th scope="col" class="number">failed attempts</th>
        <th scope="col">why the latest failed</th>
        <th scope="col">started (UTC, real time)</th>
        <th scope="col">next attempt (UTC, real time)</th>
      </tr>
    </thead>
    <tbody>
      ${transactions.map(
        ({ paymentId, number, failures, reason, startedAt, retryAt }) =>
          html`<tr ${failures > 0 ? html`class="is-attention"` : undefined}>
            <td class="mono">${paymentLink(paymentId)}${number === null ? '' : ` #${number}`}</td>
            <td class="number">${failures === 0 ? '' : failures}</td>
            <td>${reason ?? ''}</td>
            <td class="mono">${timeOf(startedAt)}</td>
            <td class="mono">${retryAt === null ? '' : timeOf(retryAt)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
};

/** The most urgent payments, by due time. */
export const queueTable = ({ payments, at }: SettlementQueue, nameOf: NameOf): Html => {
  if (payments.length === 0) return html`<p>No payment waits for settlement.</p>`;
  return html`<table>
    <caption>
      Waiting for settlement${payments.length === maxRows ? `, the first ${maxRows}` : ''}
    </caption>
    <thead>
      <tr>
        <th scope="col">payment</th>
        <th scope="col">state</th>
        <th scope="col">due (UTC, the bank’s clock)</th>
        <th scope="col" class="number">due, from now</th>
        <th scope="col" class="number">amount</th>
        <th scope="col">service</th>
        <th scope="col">TPP</th>
      </tr>
    </thead>
    <tbody>
      ${payments.map((payment) => queueRow(payment, at, nameOf))}
    </tbody>
  </table>`;
};

const levels = { overdue: 'problem', due: 'neutral', later: 'neutral' } as const;

const queueRow = (payment: QueuedPayment, at: string, nameOf: NameOf): Html => {
  const { paymentId, state, dueAt, amount, service, tppId } = payment;
  return html`<tr ${state === 'overdue' ? html`class="is-problem"` : undefined}>
    <td class="mono">${paymentLink(paymentId)}</td>
    <td><span class="pill ${levels[state]}">${isSettled(payment) ? 'settled, books later' : state}</span></td>
    <td class="mono">${timeOf(dueAt)}</td>
    <td class="number">${fromNow(Date.parse(dueAt) - Date.parse(at))}</td>
    <td class="number">${amount === undefined ? '' : `${formatAmount(amount)} ${amount.currency}`}</td>
    <td>${service}</td>
    <td>${nameOf(tppId)}</td>
  </tr>`;
};

/** True for a payment of which only the pending entry is left to be booked. */
const isSettled = ({ service, status, state }: QueuedPayment): boolean =>
  service === 'payments' && status === 'ACSC' && state === 'later';

/** When something is or was due: `in 4 min 30 s`, `12 s ago`. */
const fromNow = (ms: number): string => (ms >= 0 ? `in ${durationText(ms)}` : `${durationText(-ms)} ago`);

export const paymentLink = (paymentId: string): Html =>
  html`<a href="/payments/${paymentId}">${paymentId}</a>`;
