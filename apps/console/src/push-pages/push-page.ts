import type { NotificationSummary, QueuedNotification } from '@xs2a/contracts/notifications.contract';
import { durationText } from '@xs2a/doctor/durations';
import { type Html, html } from '@xs2a/html/html';
import { jobTable } from '../jobs/job-page.js';
import type { JobProgress } from '../jobs/jobs.js';
import { figure } from '../pages/figure.js';
import { timeOf } from '../pages/times.js';
import type { NameOf } from '../tpps/tpp-names.js';
import { type PushFilter, pushPath } from './push-filter.js';
import { replayPath } from './replay-page.js';
import { queueTable } from './queue-table.js';

/** Notifications of each state on the page. */
export const shownNotifications = 100;

interface Push {
  readonly filter: PushFilter;
  /** Undefined, like the others, if the notifications service did not answer. */
  readonly summary: NotificationSummary | undefined;
  readonly failing: readonly QueuedNotification[] | undefined;
  readonly dead: readonly QueuedNotification[] | undefined;
  readonly nowMs: number;
  readonly jobs: readonly JobProgress[];
  readonly mayReplay: boolean;
  readonly nameOf: NameOf;
}

/** Leads to the page that says what would be sent again. */
const replayLink = ({ tpp, resource }: PushFilter): Html | undefined =>
  resource === undefined
    ? html`<p class="links">
        <a class="button" href="${replayPath({ tpp })}"
          >Send ${tpp === undefined ? 'all dead letters' : `the dead letters of ${tpp}`} again…</a
        >
      </p>`
    : undefined;

/** The notifications that are not delivered: sums, by TPP, and those that fail or are dead letters. */
export const pushBody = ({ filter, summary, failing, dead, jobs, nowMs, mayReplay, nameOf }: Push): Html => {
  const isFiltered = filter.tpp !== undefined || filter.resource !== undefined;
  const [noneFails, noneIsDead] = isFiltered
    ? ['No notification that matches fails.', 'No dead letter matches.']
    : ['No notification fails.', 'There is no dead letter.'];
  return html`
    ${noAnswer([
      ...(summary === undefined ? ['how many notifications wait'] : []),
      ...(failing === undefined ? ['which notifications fail'] : []),
      ...(dead === undefined ? ['which are dead letters'] : []),
    ])}
    ${summary && summarySections(summary, nowMs, nameOf)} ${filterForm(filter)}
    ${failing && notificationSection('Failing', { rows: failing, none: noneFails, nowMs, mayReplay: false, nameOf })}
    ${dead && notificationSection('Dead letters', { rows: dead, none: noneIsDead, nowMs, mayReplay, nameOf })}
    ${mayReplay && dead !== undefined && dead.length > 0 ? replayLink(filter) : undefined} ${jobTable(jobs)}
  `;
};

const noAnswer = (unknown: readonly string[]): Html | undefined =>
  unknown.length === 0
    ? undefined
    : html`<div class="card is-problem" role="status">
        <p>
          <span class="pill problem">no answer</span> notifications did not answer: it is unknown
          ${unknown.join(', ')}.
        </p>
      </div>`;

const summarySections = (
  { tpps, totals, unread }: NotificationSummary,
  nowMs: number,
  nameOf: NameOf,
): Html => html`
  <section class="card" aria-label="Notifications that are not delivered">
    <dl class="figures">
      ${figure('Failing', String(totals.failing), 'an attempt failed; tried again for 24 hours')}
      ${figure('Waiting', String(totals.waiting), totals.overdue === 0 ? 'not tried yet, or behind a failing one of the same resource' : `${totals.overdue} due for more than a minute`)}
      ${figure('Dead letters', String(totals.dead), 'given up: not sent again by itself')}
      ${figure('Unread', String(totals.unread), 'resources whose changes cannot be read')}
    </dl>
  </section>
  <section class="card wide" tabindex="0" aria-label="By TPP">
    ${queueTable(tpps, nowMs, nameOf)}
    ${totals.tpps > tpps.length ? html`<p class="quiet">${totals.tpps - tpps.length} more TPPs are not shown.</p>` : undefined}
  </section>
  ${unread.length === 0 ? undefined : unreadSection(unread, totals.unread)}
`;

const unreadSection = (unread: NotificationSummary['unread'], total: number): Html => html`
  <section class="card wide" tabindex="0" aria-label="Unread">
    <table>
      <caption>
        Resources whose changes cannot be
        read${total > unread.length ? `, the oldest ${unread.length} of ${total}` : ''}
      </caption>
      <thead>
        <tr>
          <th scope="col">payment, consent or basket</th>
          <th scope="col">service</th>
          <th scope="col">since (UTC)</th>
        </tr>
      </thead>
      <tbody>
        ${unread.map(
          ({ source, resourceId, since }) =>
            html`<tr>
              <td class="mono">${resourceLink(resourceId)}</td>
              <td>${source}</td>
              <td class="mono">${timeOf(new Date(since))}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>
`;

const resourceLink = (resourceId: string): Html => html`<a href="/search?q=${resourceId}">${resourceId}</a>`;

const filterForm = ({ tpp, resource }: PushFilter): Html => html`
  <form class="filter" method="get" action="/push" aria-label="Filter">
    <label>TPP<input name="tpp" value="${tpp}" maxlength="255" /></label>
    <label>payment, consent or basket<input name="resource" value="${resource}" maxlength="36" /></label>
    <button type="submit">Filter</button>
    <a href="/push">Show all</a>
  </form>
`;

interface Rows {
  readonly rows: readonly QueuedNotification[];
  readonly none: string;
  readonly nowMs: number;
  /** True if each row leads to sending it again. */
  readonly mayReplay: boolean;
  readonly nameOf: NameOf;
}

const notificationSection = (title: string, { rows, none, ...common }: Rows): Html => html`
  <section class="card wide" tabindex="0" aria-label="${title}">
    ${
      rows.length === 0
        ? html`<p>${none}</p>`
        : html`<table>
            <caption>
              ${title}, oldest
              first${rows.length === shownNotifications ? `, the oldest ${shownNotifications}` : ''}
            </caption>
            <thead>
              <tr>
                <th scope="col">TPP, receiver</th>
                <th scope="col">payment, consent or basket</th>
                <th scope="col">reported status</th>
                <th scope="col">latest answer</th>
                <th scope="col">since (UTC)</th>
                <th scope="col" class="number">failed attempts</th>
                <th scope="col">${title === 'Failing' ? 'next attempt' : 'given up (UTC)'}</th>
              </tr>
            </thead>
            <tbody>
              ${rows.map((row) => notificationRow(row, common))}
            </tbody>
          </table>`
    }
  </section>
`;

const notificationRow = (
  row: QueuedNotification,
  { nowMs, mayReplay, nameOf }: Omit<Rows, 'rows' | 'none'>,
): Html =>
  html`<tr>
    <td>
      <a href="${pushPath({ tpp: row.tppId })}">${nameOf(row.tppId)}</a><br /><span class="mono quiet"
        >${row.uri}</span
      >
    </td>
    <td class="mono">${resourceLink(row.resourceId)}</td>
    <td class="nowrap">${row.tells}</td>
    <td><span class="pill attention">${row.reason ?? '–'}</span></td>
    <td class="mono">${timeOf(new Date(row.createdAt))}</td>
    <td class="number">${row.failures}</td>
    <td>
      ${row.state === 'dead' ? givenUp(row) : nextTry(row.nextTryAt, nowMs)}
      ${mayReplay ? html`<br /><a href="${replayPath({ notification: row.id })}">send again…</a>` : undefined}
    </td>
  </tr>`;

/** When and why a notification became a dead letter. */
const givenUp = ({ endedAt = null, firstFailedAt = null }: QueuedNotification): Html | string => {
  if (endedAt === null) return '–';
  const triedMs = firstFailedAt === null ? undefined : Date.parse(endedAt) - Date.parse(firstFailedAt);
  return html`${timeOf(endedAt)}${
    triedMs === undefined
      ? undefined
      : html`<br /><span class="quiet">after attempts for ${durationText(triedMs)}</span>`
  }`;
};

const nextTry = (at: string | null, nowMs: number): string => {
  if (at === null) return '–';
  const leftMs = Date.parse(at) - nowMs;
  return leftMs <= 0 ? 'now' : `in ${durationText(leftMs)}`;
};
