import type { TppQueue } from '@xs2a/contracts/notifications.contract';
import { durationText } from '@xs2a/doctor/durations';
import { type Html, html } from '@xs2a/html/html';
import type { NameOf } from '../tpps/tpp-names.js';
import { pushPath } from './push-filter.js';

/** One row for each TPP with notifications that are not delivered, worst first. */
export const queueTable = (queues: readonly TppQueue[], nowMs: number, nameOf: NameOf): Html => {
  if (queues.length === 0) return html`<p>Every notification is delivered.</p>`;
  return html`<table>
    <caption>
      Not delivered, by TPP
    </caption>
    <thead>
      <tr>
        <th scope="col">TPP</th>
        <th scope="col" class="number">failing</th>
        <th scope="col" class="number">waiting</th>
        <th scope="col" class="number">dead letters</th>
        <th scope="col">the oldest waits for</th>
        <th scope="col">latest answer</th>
        <th scope="col">receiver</th>
      </tr>
    </thead>
    <tbody>
      ${queues.map((queue) => queueRow(queue, nowMs, nameOf))}
    </tbody>
  </table>`;
};

const queueRow = (
  { tppId, failing, waiting, dead, oldestAt, reason, uri }: TppQueue,
  nowMs: number,
  nameOf: NameOf,
): Html =>
  html`<tr ${failing > 0 ? html`class="is-attention"` : undefined}>
    <td>
      <a href="${pushPath({ tpp: tppId })}">${nameOf(tppId)}</a>
    </td>
    <td class="number">${failing > 0 ? html`<span class="pill attention">${failing}</span>` : 0}</td>
    <td class="number">${waiting}</td>
    <td class="number">${dead > 0 ? html`<span class="pill attention">${dead}</span>` : 0}</td>
    <td class="nowrap">
      ${oldestAt === undefined ? '–' : html`<time datetime="${oldestAt}">${durationText(Math.max(0, nowMs - Date.parse(oldestAt)))}</time>`}
    </td>
    <td>${reason ?? '–'}</td>
    <td class="mono">${uri ?? '–'}</td>
  </tr>`;
