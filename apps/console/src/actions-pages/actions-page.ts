import { type Html, html } from '@xs2a/html/html';
import type { ActionFilter, ChainState, ListedAction } from '../actions/action-reader.js';
import { chainText } from '../actions/action-reader.js';
import { type Act, acts, isAct } from '../actions/acts.js';
import { time } from './action-times.js';
import { actionsPath } from './actions-filter.js';
import { isWaiting, type WaitingAction, waitingSection } from './waiting-actions.js';

/** Rows on a page. */
export const actionsOnPage = 100;
/** Milliseconds after which an action without an outcome is no longer expected to have one. */
const patienceMs = 60_000;

export interface ActionsView {
  readonly filter: ActionFilter;
  readonly waiting: readonly WaitingAction[];
  /** At most one page and one more. */
  readonly found: readonly ListedAction[];
  /** The first row of this page that was changed, or that does not continue the row before it. */
  readonly brokenAt: number | undefined;
  /** The whole chain, if its verification was asked for. */
  readonly chain: ChainState | undefined;
  readonly nowMs: number;
}

/** What the staff did, newest first, and whether the record of it is complete. */
export const actionsBody = (view: ActionsView): Html => html`
  ${waitingSection(view.waiting)} ${filterForm(view.filter)}
  <section class="card" aria-label="Is the record complete?">${completeness(view)}</section>
  <section class="card wide" tabindex="0" aria-label="Actions">${actionTable(view)} ${older(view)}</section>
`;

const filterForm = ({ by, act = '' }: ActionFilter): Html => html`
  <form class="filter" method="get" action="/actions" aria-label="Filter">
    <label>person<input name="by" value="${by}" maxlength="200" /></label>
    <label
      >action<select name="act">
        ${Object.entries({ '': { does: 'all' }, ...acts }).map(
          ([value, { does }]) =>
            html`<option value="${value}" ${value === act ? html`selected` : undefined}>${does}</option>`,
        )}
      </select></label
    >
    <button type="submit">Filter</button>
    <a href="/actions">Show all</a>
  </form>
`;

const completeness = ({ filter, found, brokenAt, chain }: ActionsView): Html => {
  const count = Math.min(found.length, actionsOnPage);
  const ofPage =
    brokenAt === undefined
      ? `${count === 1 ? 'The action on this page is as it was' : `The ${count} actions on this page are as they were`} recorded.`
      : `Record ${brokenAt} on this page was changed or inserted, or the record before it was removed.`;
  const lines: readonly (readonly [boolean, string])[] = [
    ...(found.length === 0 ? [] : [[brokenAt === undefined, ofPage] as const]),
    ...(chain === undefined ? [] : [[chain.brokenAt === null, chainText(chain)] as const]),
  ];
  return html`${lines.map(([isWell, text]) => chainLine(isWell, text))}
    <p class="links"><a class="button" href="${actionsPath(filter, true)}">Verify the whole chain</a></p>`;
};

const chainLine = (isWell: boolean, text: string): Html =>
  html`<p role="${isWell ? 'status' : 'alert'}">
    <span class="pill ${isWell ? 'good' : 'problem'}">${isWell ? 'complete' : 'broken'}</span> ${text}
  </p>`;

const actionTable = ({ filter, found, nowMs }: ActionsView): Html => {
  if (found.length === 0)
    return html`<p>
      ${actionsPath(filter) === '/actions' ? 'Nothing was done or revealed yet.' : 'No action matches.'}
    </p>`;
  return html`<table>
    <caption>
      Actions, newest first
    </caption>
    <thead>
      <tr>
        <th scope="col">time (UTC)</th>
        <th scope="col">person</th>
        <th scope="col">action</th>
        <th scope="col">outcome</th>
        <th scope="col">reason</th>
        <th scope="col">target</th>
      </tr>
    </thead>
    <tbody>
      ${found.slice(0, actionsOnPage).map((action) => actionRow(action, nowMs))}
    </tbody>
  </table>`;
};

const actionRow = (action: ListedAction, nowMs: number): Html =>
  html`<tr>
    <td class="mono nowrap"><a href="/actions/${action.actionId}">${time(action.at)}</a></td>
    <td>${person(action)}</td>
    <td>${actText(action.act)}</td>
    <td class="long">${outcome(action, nowMs)}</td>
    <td class="long">${action.reason}</td>
    <td class="mono long">${action.target}</td>
  </tr>`;

const person = ({ name, roles, via }: ListedAction): Html =>
  html`<a href="${actionsPath({ by: name })}">${name}</a>
    <span class="quiet">${via === 'command' ? 'by command' : roles.join(', ')}</span>`;

const actText = (act: string): string => (isAct(act) ? acts[act].does : act);

/** Whether an action ended, and how. */
const outcome = (action: ListedAction, nowMs: number): Html => {
  const { type, end, at, outcome: text, isForTwo, decision, decidedAt } = action;
  if (decision === 'refused') return html`<span class="pill problem">refused</span> ${decisionText(action)}`;
  if (isWaiting(action, nowMs)) return html`<span class="pill attention">waits for approval</span>`;
  if (isForTwo && decision === null)
    return html`<span class="pill neutral">expired</span> Nobody decided within 24 hours.`;
  if (type === 'revealed' && end !== 'action-failed')
    return html`<span class="pill good">shown</span> ${text ?? undefined}`;
  if (end === 'action-done') return html`<span class="pill good">done</span> ${text ?? undefined}`;
  if (end === 'action-failed') return html`<span class="pill problem">failed</span> ${text ?? undefined}`;
  if (nowMs - (decidedAt ?? at).getTime() < patienceMs)
    return html`<span class="pill attention">under way</span>`;
  return html`<span class="pill attention">unknown outcome</span> Its outcome was not recorded: check whether
    it was done.`;
};

/** Who decided, and why. */
const decisionText = ({ decision, decidedBy, decisionReason }: ListedAction): string =>
  `${decision} by ${decidedBy}: ${decisionReason}`;

const older = ({ filter, found }: ActionsView): Html | undefined => {
  const last = found[actionsOnPage - 1];
  if (found.length <= actionsOnPage || last === undefined) return undefined;
  const to = actionsPath({ ...filter, before: last.seq });
  return html`<p class="links"><a class="button" href="${to}">Older actions</a></p>`;
};

/** One action: the page to which a form leads. */
export const actionBody = (action: ListedAction, nowMs: number): Html => html`
  <section class="card" aria-label="Action">
    <h2>${outcome(action, nowMs)}</h2>
    <dl class="pairs">
      <dt>action</dt>
      <dd>${actText(action.act)}</dd>
      <dt>target</dt>
      <dd class="mono">${action.target}</dd>
      <dt>reason</dt>
      <dd>${action.reason}</dd>
      <dt>person</dt>
      <dd>
        ${action.name}
        <span class="quiet"
          >${action.via === 'command' ? 'by command' : `${action.roles.join(', ')}, signed in as ${action.staff}`}</span
        >
      </dd>
      <dt>requested (UTC)</dt>
      <dd class="mono">${time(action.at)}</dd>
      ${
        action.decidedAt === null
          ? undefined
          : html`<dt>decided (UTC)</dt>
              <dd><span class="mono">${time(action.decidedAt)}</span> ${decisionText(action)}</dd>`
      }
      ${
        action.endedAt === null
          ? undefined
          : html`<dt>ended (UTC)</dt>
              <dd class="mono">${time(action.endedAt)}</dd>`
      }
      <dt>record</dt>
      <dd class="mono">${action.seq}</dd>
    </dl>
    ${back(action)}
  </section>
`;

const back = ({ act, target }: ListedAction): Html | undefined => {
  if (!isAct(act)) return undefined;
  const { to, title, isOfTarget = false } = pagesOfActs[act];
  const path = isOfTarget ? `${to}/${encodeURIComponent(target)}` : to;
  return html`<p class="links"><a class="button" href="${path}">Back to ${title}</a></p>`;
};

interface PageOfAct {
  readonly to: string;
  readonly title: string;
  /** True if the target has a page below that path. */
  readonly isOfTarget?: true;
}
const pagesOfActs: Readonly<Record<Act, PageOfAct>> = {
  'lift-sca-lock': { to: '/psus', title: 'PSUs' },
  'find-approvals': { to: '/psus', title: 'PSUs' },
  'export-bundle': { to: '/payments', title: 'Payments' },
  'block-tpp': { to: '/tpps', title: 'TPPs' },
  'unblock-tpp': { to: '/tpps', title: 'TPPs' },
  'rotate-secret': { to: '/tpps', title: 'TPPs' },
  'replay-notifications': { to: '/push', title: 'Push' },
  'reveal-field': { to: '/payments', title: 'Payments' },
  'search-encrypted': { to: '/payments', title: 'Payments' },
  'replay-dead-letter': { to: '/settlement', title: 'Settlement' },
  'discard-dead-letter': { to: '/settlement', title: 'Settlement' },
  'close-late-instant': { to: '/settlement', title: 'Settlement' },
  'pause-job': { to: '/jobs', title: 'the job', isOfTarget: true },
  'continue-job': { to: '/jobs', title: 'the job', isOfTarget: true },
  'end-consent': { to: '/consents', title: 'the consent', isOfTarget: true },
  'try-settlement-now': { to: '/payments', title: 'the payment', isOfTarget: true },
  'hand-to-settlement': { to: '/payments', title: 'the payment', isOfTarget: true },
};
