import type { CallSetting } from '@xs2a/refusals/corrected-request';
import { type Html, html } from '@xs2a/html/html';
import { durationText } from '@xs2a/doctor/durations';
import type { CallEntity } from '../calls/call.entity.js';
import { type CallFilter, callsPath } from './call-filter.js';
import { timeOf } from '../pages/times.js';
import type { NameOf } from '../tpps/tpp-names.js';
import { tppPath } from '../tpps/tpps-page.js';
import type { CallGroup } from './call-groups.js';
import { type FoundCalls, maxGroups, pageSize } from './call-list.js';
import { why } from './why.js';

/** Groups of refused and failed calls, then the calls themselves. */
export const callsBody = (
  filter: CallFilter,
  groups: readonly CallGroup[],
  found: FoundCalls,
  shortNameOf: NameOf,
): Html => html`
  ${filterForm(filter)}
  <p class="quiet">
    Refused calls have a row, up to 1,000 a minute for each TPP; of successful ones, a bank may keep only a
    part.
  </p>
  <section class="card wide" tabindex="0" aria-label="Refused and failed">
    ${groupTable(filter, groups, shortNameOf)}
  </section>
  <section class="card wide" tabindex="0" aria-label="Calls">
    ${callTable(found.calls.slice(0, pageSize), shortNameOf)} ${older(filter, found)}
  </section>
`;

const fields = [
  ['tpp', 'TPP'],
  ['operation', 'operation'],
  ['code', 'error code'],
  ['dependency', 'part that did not answer'],
  ['resource', 'payment, consent or basket'],
  ['trace', 'trace id'],
] as const satisfies readonly (readonly [keyof CallFilter, string])[];
const statuses = [
  ['', 'all'],
  ['refused', 'refused (4xx)'],
  ['failed', 'failed (5xx)'],
] as const;

const filterForm = (filter: CallFilter): Html => html`
  <form class="filter" method="get" action="/calls" aria-label="Filter">
    ${fields.map(
      ([name, label]) =>
        html`<label>${label}<input name="${name}" value="${filter[name]}" maxlength="200" /></label>`,
    )}
    <label
      >answer<select name="status">
        ${statusOptions(filter.status)}
      </select></label
    >
    <button type="submit">Filter</button>
    <a href="/calls">Show all</a>
  </form>
`;

const statusOptions = (chosen = ''): readonly Html[] => {
  const known = statuses.some(([value]) => value === chosen)
    ? statuses
    : [...statuses, [chosen, chosen] as const];
  return known.map(
    ([value, label]) =>
      html`<option value="${value}" ${value === chosen ? html`selected` : undefined}>${label}</option>`,
  );
};

const groupTable = (filter: CallFilter, groups: readonly CallGroup[], shortNameOf: NameOf): Html => {
  const isFiltered = callsPath({ ...filter, before: undefined }) !== '/calls';
  if (groups.length === 0)
    return html`<p>
      No call${isFiltered ? ' that matches' : ''} was refused or failed in the last 24 hours.
    </p>`;
  return html`<table>
    <caption>
      Refused and failed in the last 24
      hours${groups.length === maxGroups ? `, the ${maxGroups} most frequent` : ''}
    </caption>
    <thead>
      <tr>
        <th scope="col" class="number">calls</th>
        <th scope="col">operation</th>
        <th scope="col">answer</th>
        <th scope="col">field</th>
        <th scope="col">TPP</th>
        <th scope="col">last</th>
      </tr>
    </thead>
    <tbody>
      ${groups.map((group) => groupRow(filter, group, shortNameOf))}
    </tbody>
  </table>`;
};

const groupRow = (filter: CallFilter, group: CallGroup, shortNameOf: NameOf): Html => {
  const { tppId, operation, status, code, path, dependency, calls, lastAt } = group;
  const to = callsPath({
    ...filter,
    before: undefined,
    operation,
    status: String(status),
    code: code ?? undefined,
    path: path ?? undefined,
    tpp: tppId ?? undefined,
    dependency: dependency ?? undefined,
  });
  return html`<tr>
    <td class="number">${calls}</td>
    <td><a href="${to}">${operation}</a></td>
    <td>${answer(group)}</td>
    <td class="mono">${path ?? ''}</td>
    <td>${tppLink(tppId, shortNameOf)}</td>
    <td class="mono">${timeOf(lastAt)}</td>
  </tr>`;
};

/** A client id is too long for a column: a TPP is shown by its name. */
const tppLink = (tppId: string | null, shortNameOf: NameOf): Html =>
  tppId === null
    ? html`<span class="quiet">no valid token</span>`
    : html`<a href="${tppPath(tppId)}">${shortNameOf(tppId)}</a>`;

/** A status with its code, and the part that did not answer. */
const answer = ({ status, code, dependency }: Pick<CallEntity, 'status' | 'code' | 'dependency'>): Html => {
  const level = status >= 500 ? 'problem' : status >= 400 ? 'neutral' : 'good';
  return html`<span class="pill ${level}">${status}</span> ${code ?? ''}
    ${dependency === null ? undefined : html`<span class="quiet">${dependency} did not answer</span>`}`;
};

export const callTable = (calls: readonly CallEntity[], shortNameOf: NameOf): Html => {
  if (calls.length === 0) return html`<p>No call matches.</p>`;
  return html`<table>
    <caption>
      Calls, newest first
    </caption>
    <thead>
      <tr>
        <th scope="col">time (UTC)</th>
        <th scope="col">operation</th>
        <th scope="col">answer</th>
        <th scope="col">field</th>
        <th scope="col">TPP</th>
        <th scope="col" class="number">took</th>
        <th scope="col">request id</th>
      </tr>
    </thead>
    <tbody>
      ${calls.map((call) => callRow(call, shortNameOf))}
    </tbody>
  </table>`;
};

const callRow = (call: CallEntity, shortNameOf: NameOf): Html =>
  html`<tr>
    <td class="mono">${timeOf(call.at)}</td>
    <td>${call.operation}</td>
    <td>${answer(call)}</td>
    <td class="mono">${call.path ?? ''}</td>
    <td>${tppLink(call.tppId, shortNameOf)}</td>
    <td class="number">${durationText(call.ms)}</td>
    <td class="mono"><a href="/calls/${call.requestId}">${call.requestId}</a></td>
  </tr>`;

const older = (filter: CallFilter, { calls, searchedFrom }: FoundCalls): Html | undefined => {
  const last = calls[pageSize - 1];
  const before =
    calls.length > pageSize && last !== undefined
      ? { at: last.at, callId: Number(last.callId) }
      : searchedFrom && { at: searchedFrom, callId: 0 };
  if (before === undefined) return undefined;
  const to = callsPath({ ...filter, before });
  return html`<p class="links">
    <a class="button" href="${to}">Older calls</a>
    ${searchedFrom === undefined ? undefined : html`<span class="quiet">searched back to ${timeOf(searchedFrom)}</span>`}
  </p>`;
};

/**
 * Everything that is kept of one call, and why it was refused; of several, if the client repeated its request id.
 * `settingOf` returns the day and the standard that its explanation is about.
 */
export const callBody = (
  calls: readonly CallEntity[],
  settingOf: (call: CallEntity) => CallSetting,
  nameOf: NameOf,
): Html =>
  html`${calls.map(
    (call) =>
      html`<section class="card" aria-label="Call at ${call.at.toISOString()}">
          ${callPairs(call, nameOf)}
        </section>
        ${why(call, settingOf(call))}`,
  )}`;

const callPairs = (call: CallEntity, nameOf: NameOf): Html => html`
  <h2>${call.operation} ${answer(call)}</h2>
  <dl class="pairs">
    <dt>time (UTC)</dt>
    <dd class="mono">${timeOf(call.at)}</dd>
    <dt>TPP</dt>
    <dd>
      ${call.tppId === null ? 'no valid token' : html`<a href="${callsPath({ tpp: call.tppId })}">${nameOf(call.tppId)}</a>`}
    </dd>
    ${
      call.path === null
        ? undefined
        : html`<dt>field</dt>
            <dd class="mono">${call.path}</dd>`
    }
    <dt>took</dt>
    <dd>${durationText(call.ms)}</dd>
    <dt>answer</dt>
    <dd>${call.bytes} bytes</dd>
    ${call.resourceId === null ? undefined : resourcePair(call.resourceId)}
    <dt>request id</dt>
    <dd class="mono">${call.requestId}</dd>
    ${
      call.traceId === null
        ? undefined
        : html`<dt>trace id</dt>
            <dd class="mono">
              ${call.traceId} <a href="${callsPath({ trace: call.traceId })}">all calls of this trace</a>
            </dd>`
    }
  </dl>
`;

const resourcePair = (resourceId: string): Html =>
  html`<dt>payment, consent or basket</dt>
    <dd class="mono"><a href="/search?q=${resourceId}">${resourceId}</a></dd>`;
