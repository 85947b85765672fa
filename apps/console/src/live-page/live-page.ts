import { type Html, html } from '@xs2a/html/html';
import { consentStatuses } from '@xs2a/domain/consent/consent-transitions';
import { paymentProducts } from '@xs2a/domain/payment/payment-products';
import { paymentStatuses } from '@xs2a/domain/payment/payment-state';
import { timeOf } from '../pages/times.js';
import { inputText } from '../resources-pages/moments.js';
import { tppPath } from '../tpps/tpps-page.js';
import { type LiveFilter, liveQuery } from './live-filter.js';
import type { ShownEvent, ShownPage } from './shown-events.js';

/** What the fields of the filter suggest. */
const productsOf = { payments: [...paymentProducts, 'signing-basket'], consents: ['consent'] } as const;
const statusesOf = { payments: paymentStatuses, consents: consentStatuses } as const;

/** The events of a log, newest first. With scripts, new ones appear at the top. */
export const liveBody = (filter: LiveFilter, page: ShownPage): Html => {
  const isPast = filter.before !== undefined;
  return html`
    ${filterForm(filter)}
    <p class="links" id="live-bar" hidden>
      <button type="button" id="live-pause" aria-pressed="false">Pause</button>
      <span id="live-note" class="quiet" role="status"></span>
    </p>
    <section
      class="card wide live"
      tabindex="0"
      aria-label="Events"
      ${isPast ? undefined : html`data-live="/live/events?${liveQuery(filter)}" data-after="${page.last}" data-gaps="${JSON.stringify(page.newestGaps ?? page.gaps)}"`}
    >
      ${eventTable(filter, page)} ${older(filter, page)}
    </section>
  `;
};

const filterForm = (filter: LiveFilter): Html => html`
  <form class="filter" method="get" action="/live" aria-label="Filter">
    <label
      >log<select name="log">
        ${(['payments', 'consents'] as const).map(
          (log) => html`<option ${log === filter.log ? html`selected` : undefined}>${log}</option>`,
        )}
      </select></label
    >
    <label>type<input name="type" value="${filter.type}" maxlength="50" placeholder="signed" /></label>
    <label>TPP<input name="tpp" value="${filter.tpp}" maxlength="200" /></label>
    <label
      >product<input name="product" value="${filter.product}" maxlength="50" list="live-products"
    /></label>
    <label
      >status now<input name="status" value="${filter.status}" maxlength="50" list="live-statuses"
    /></label>
    <label
      >before a position or a time (UTC)<input
        name="before"
        value="${filter.before && inputText(filter.before)}"
        maxlength="30"
        placeholder="2026-11-27 13:44"
    /></label>
    ${choices('live-products', productsOf[filter.log])} ${choices('live-statuses', statusesOf[filter.log])}
    <button type="submit">Show</button>
    <a href="/live?log=${filter.log}">Show all</a>
  </form>
`;

const choices = (id: string, values: readonly string[]): Html =>
  html`<datalist id="${id}">${values.map((value) => html`<option value="${value}"></option>`)}</datalist>`;

const eventTable = ({ log }: LiveFilter, { events, gaps }: ShownPage): Html => html`
  <table>
    <caption>
      Events, newest first
    </caption>
    <thead>
      <tr>
        <th scope="col" class="number">position</th>
        <th scope="col">time (UTC, the bank’s clock)</th>
        <th scope="col">event</th>
        <th scope="col">resource</th>
        <th scope="col">product</th>
        <th scope="col">TPP</th>
        <th scope="col">by</th>
      </tr>
    </thead>
    <tbody id="live-rows">
      ${events.map((event, index) => [gapRow(gaps, event, events[index - 1]), eventRow(log, event)])}
    </tbody>
  </table>
`;

/** A red row for each part of the log that was lost between two events. */
const gapRow = (
  gaps: ShownPage['gaps'],
  { pos }: ShownEvent,
  newer: ShownEvent | undefined,
): Html | undefined => {
  const lost = gaps.filter(({ after, upTo }) => after >= pos && (newer === undefined || upTo < newer.pos));
  return html`${lost.toReversed().map(
    ({ after, upTo }) =>
      html`<tr class="is-problem">
        <td class="number">${after + 1}–${upTo}</td>
        <td colspan="6">lost when the database went back to an earlier state</td>
      </tr>`,
  )}`;
};

const eventRow = (log: LiveFilter['log'], event: ShownEvent): Html => {
  const { pos, at, type, id, product, tppId, tppName, by } = event;
  return html`<tr>
    <td class="number">${pos}</td>
    <td class="mono nowrap">${timeOf(at)}</td>
    <td>${type.replaceAll('-', ' ')}</td>
    <td class="mono"><a href="/${log}/${id}?at=${pos}">${id}</a></td>
    <td>${product ?? ''}</td>
    <td>${tppId === null ? '' : html`<a href="${tppPath(tppId)}">${tppName}</a>`}</td>
    <td>${by}</td>
  </tr>`;
};

const older = (filter: LiveFilter, { events, searchedFrom, leftOut }: ShownPage): Html | undefined => {
  const before = leftOut > 0 ? (events.at(-1)?.pos ?? searchedFrom) : searchedFrom;
  if (before <= 1) return undefined;
  return html`<p class="links">
    <a class="button" href="/live?${liveQuery(filter)}&before=${before}">Older events</a>
    ${events.length === 0 ? html`<span class="quiet">None matches from position ${searchedFrom} on.</span>` : undefined}
  </p>`;
};
