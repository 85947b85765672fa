import type { BasketFacts, ConsentFacts, PaymentFacts, Timeline } from '@xs2a/contracts/timeline.contract';
import type { UnfinishedTransaction } from '@xs2a/contracts/settlement.contract';
import type { QueuedNotification } from '@xs2a/contracts/notifications.contract';
import { formatAmount } from '@xs2a/domain/money/money';
import { durationText } from '@xs2a/doctor/durations';
import { type Html, html } from '@xs2a/html/html';
import { callsPath } from '../calls-pages/call-filter.js';
import { callTable } from '../calls-pages/calls-page.js';
import { statusLegend, statusPill } from '../pages/status-pill.js';
import { timeOf } from '../pages/times.js';
import type { NameOf } from '../tpps/tpp-names.js';
import { inputText, type Moment, momentText } from './moments.js';
import { passedTime } from './passed-time.js';
import type { TimelineRow, TimelineView } from './timeline-rows.js';
import { unattendedTable } from './unattended-table.js';

export type Facts = PaymentFacts | BasketFacts | ConsentFacts;

export interface ResourcePage {
  readonly id: string;
  /** The address of the page without its query. */
  readonly path: string;
  readonly timeline: Timeline<Facts>;
  readonly view: TimelineView;
  readonly nameOf: NameOf;
  readonly shortNameOf: NameOf;
  /** Transactions of the payment whose settlement has not finished; undefined if it is not known. */
  readonly unfinished?: readonly UnfinishedTransaction[];
  /** The notifications to its TPP, in every state. */
  readonly notifications: readonly QueuedNotification[];
  /** True if the resource has more calls than are considered. */
  readonly areCallsCut: boolean;
  readonly asOf?: Moment;
  readonly since?: Moment;
  /** The forms of the actions that are possible now. */
  readonly actions?: Html | undefined;
}

/** The most calls of a resource that its page considers: the newest. */
export const maxCalls = 200;

/** The name of a resource, for the title of its page. */
export const titleOf = (facts: Facts): string => {
  if (facts.kind === 'consent') return 'Consent';
  if (facts.kind === 'signing-basket') return 'Signing basket';
  return `${formatAmount(facts.amount)} ${facts.amount.currency} · ${facts.product}`;
};

/** What is known of a resource, how its time passed, and its history. */
export const resourceBody = (page: ResourcePage): Html => {
  const { id, path, timeline, view, asOf, since } = page;
  return html`
    <section class="card" aria-label="Summary">
      <p>
        ${view.status === null ? html`<span class="pill neutral">${statusText(null, timeline)}</span>` : statusPill(view.status)}
        ${(page.unfinished ?? []).some(({ failures }) => failures > 0) ? html`<span class="pill attention">settlement fails</span>` : undefined}
        ${page.notifications.some(isTroubled) ? html`<span class="pill attention">push fails</span>` : undefined}
        <span class="mono">${id}</span>
      </p>
      ${momentNotice(page)} ${factPairs(timeline, page.nameOf)} ${passedTime(view.intervals)}
    </section>
    ${unfinishedList(page.unfinished)}
    ${timeline.facts.kind === 'consent' && asOf === undefined ? unattendedTable(timeline.facts.unattended) : undefined}
    <section class="card wide" tabindex="0" aria-label="History">
      ${historyTable(view.rows, path)}
      ${timeline.leftOut === 0 ? undefined : html`<p>${timeline.leftOut} older events are not shown; the command shows all.</p>`}
    </section>
    ${momentForm(path, asOf, since)} ${pushes(page.notifications)} ${otherCalls(page)}
    ${statusLegend(timeline.facts.kind === 'consent' ? 'consents' : 'payments')} ${page.actions}
  `;
};

/** The status at a moment. Before the events that are shown, it is not known. */
const statusText = (status: string | null, { leftOut }: Timeline<Facts>): string =>
  status ?? (leftOut === 0 ? 'did not exist' : 'not known here');

const momentNotice = ({ path, timeline, view, asOf, since }: ResourcePage): Html | undefined => {
  if (asOf === undefined && since === undefined) return undefined;
  const count = view.rows.filter(({ isNew, kind }) => isNew && kind === 'event').length;
  return html`<p role="status">
    ${asOf === undefined ? 'The present' : `As of ${momentText(asOf)}`}${
      since === undefined
        ? undefined
        : `, compared with ${momentText(since)}: ${statusText(view.statusBefore ?? null, timeline)} → ${statusText(view.status, timeline)}, ${count} ${count === 1 ? 'event' : 'events'}`
    }.
    <a href="${path}">Show the present</a>
  </p>`;
};

const factPairs = ({ tppId, facts, events }: Timeline<Facts>, nameOf: NameOf): Html => html`
  <dl class="pairs">
    <dt>TPP</dt>
    <dd><a href="${callsPath({ tpp: tppId })}">${nameOf(tppId)}</a></dd>
    ${kindPairs(facts)} ${tracePair(events[0]?.traceId ?? null)}
  </dl>
`;

const kindPairs = (facts: Facts): Html => {
  if (facts.kind === 'signing-basket')
    return html`${linkPair('payments', '/payments/', facts.paymentIds)}
    ${linkPair('consents', '/consents/', facts.consentIds)}`;
  if (facts.kind === 'consent')
    return html`<dt>access</dt>
      <dd>
        ${facts.recurring ? `recurring, ${facts.frequencyPerDay} times a day without the PSU` : 'once'}, until
        ${facts.validUntil}
      </dd>`;
  const { service, debtor, creditor } = facts;
  return html`<dt>service</dt>
    <dd>${service}</dd>
    <dt>from → to</dt>
    <dd class="mono">${debtor ?? '(erased)'} → ${creditor ?? '(several, or erased)'}</dd>`;
};

const linkPair = (name: string, path: string, ids: readonly string[]): Html | undefined =>
  ids.length === 0
    ? undefined
    : html`<dt>${name}</dt>
        <dd class="mono">${ids.map((id) => html`<a href="${path}${id}">${id}</a> `)}</dd>`;

const tracePair = (traceId: string | null): Html | undefined =>
  traceId === null
    ? undefined
    : html`<dt>trace</dt>
        <dd class="mono"><a href="${callsPath({ trace: traceId })}">${traceId}</a></dd>`;

const unfinishedList = (unfinished: ResourcePage['unfinished']): Html | undefined => {
  const failing = (unfinished ?? []).filter(({ failures }) => failures > 0);
  if (failing.length === 0) return undefined;
  return html`<section class="card is-attention" aria-label="Settlement">
    ${failing.map(
      ({ number, failures, reason, retryAt }) =>
        html`<p>
          Settlement${number === null ? '' : ` of #${number}`} failed
          ${failures === 1 ? 'once' : `${failures} times`}: ${reason ?? 'unknown reason'}.
          ${retryAt === null ? undefined : html`Next attempt ${timeOf(retryAt)}.`}
        </p>`,
    )}
  </section>`;
};

const historyTable = (rows: readonly TimelineRow[], path: string): Html => {
  if (rows.length === 0) return html`<p>No event that is shown here had happened yet.</p>`;
  return html`<table>
    <caption>
      History
    </caption>
    <thead>
      <tr>
        <th scope="col">time (UTC)</th>
        <th scope="col" class="number">after</th>
        <th scope="col">what</th>
        <th scope="col">where</th>
        <th scope="col" class="number">position</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => historyRow(row, path))}
    </tbody>
  </table>`;
};

const historyRow = (row: TimelineRow, path: string): Html => {
  const style = row.isLate === true ? 'is-problem' : row.isNew ? 'is-new' : '';
  return html`<tr ${style === '' ? undefined : html`class="${style}"`}>
    <td class="mono nowrap">${timeOf(row.at)}</td>
    <td class="number">${row.afterMs === undefined ? '' : `+${durationText(row.afterMs)}`}</td>
    <td>
      <span class="lane ${row.kind}"></span>${
        row.requestId === undefined ? row.what : html`<a href="/calls/${row.requestId}">${row.what}</a>`
      }${row.note === undefined ? undefined : row.isLate === true ? html` <b>${row.note}</b>` : html` <span class="quiet">${row.note}</span>`}
    </td>
    <td class="quiet">${row.where}</td>
    <td class="number">
      ${row.pos === undefined ? '' : html`<a href="${path}?at=${row.pos}">${row.pos}</a>`}
    </td>
  </tr>`;
};

const momentForm = (path: string, asOf?: Moment, since?: Moment): Html => html`
  <form class="filter" method="get" action="${path}" aria-label="As of">
    <label
      >as of a position or time (UTC)<input
        name="at"
        value="${asOf && inputText(asOf)}"
        maxlength="40"
        placeholder="2026-11-27 13:44:20"
    /></label>
    <label>compared with<input name="since" value="${since && inputText(since)}" maxlength="40" /></label>
    <button type="submit">Show</button>
  </form>
`;

const isTroubled = ({ state }: QueuedNotification): boolean => state === 'failing' || state === 'dead';

/** The notifications; folded if all of them were delivered. */
const pushes = (notifications: readonly QueuedNotification[]): Html | undefined => {
  if (notifications.length === 0) return undefined;
  const delivered = notifications.filter(({ state }) => state === 'delivered').length;
  return html`<details class="card wide" ${notifications.some(isTroubled) ? html`open` : undefined}>
    <summary>${delivered} of ${notifications.length} notifications delivered</summary>
    <table>
      <thead>
        <tr>
          <th scope="col">since (UTC)</th>
          <th scope="col">status</th>
          <th scope="col">state</th>
          <th scope="col" class="number">failures</th>
          <th scope="col">receiver’s answer</th>
          <th scope="col">receiver</th>
        </tr>
      </thead>
      <tbody>
        ${notifications.map(
          (one) =>
            html`<tr ${isTroubled(one) ? html`class="is-attention"` : undefined}>
              <td class="mono">${timeOf(one.createdAt)}</td>
              <td>${one.tells}</td>
              <td>${one.state}</td>
              <td class="number">${one.failures}</td>
              <td>${one.reason ?? ''}</td>
              <td class="mono">${one.uri}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
};

const otherCalls = ({ view, areCallsCut, shortNameOf }: ResourcePage): Html | undefined => {
  const { otherCalls: calls } = view;
  if (calls.length === 0) return undefined;
  return html`<details class="card wide">
    <summary>
      ${calls.length} other ${calls.length === 1 ? 'call' : 'calls'}: reads, refusals and repeats
    </summary>
    ${areCallsCut ? html`<p class="quiet">Only the newest ${maxCalls} calls are considered.</p>` : undefined}
    ${callTable(calls, shortNameOf)}
  </details>`;
};
