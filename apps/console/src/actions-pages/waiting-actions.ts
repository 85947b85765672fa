import { type Html, html } from '@xs2a/html/html';
import type { ListedAction } from '../actions/action-reader.js';
import { approvalMs } from '../actions/two-people.js';
import { time } from './action-times.js';

/** A request that waits for a second person. */
export interface WaitingAction extends ListedAction {
  /** One sentence: what it will do. */
  readonly does: string;
}

/** True for a request that a second person can still decide on. */
export const isWaiting = ({ isForTwo, decision, at }: ListedAction, nowMs: number): boolean =>
  isForTwo && decision === null && at.getTime() + approvalMs > nowMs;

/** The requests that wait for a second person; nothing if there are none. */
export const waitingSection = (waiting: readonly WaitingAction[]): Html | undefined => {
  if (waiting.length === 0) return undefined;
  return html`<section class="card wide" tabindex="0" aria-label="Waiting for approval">
    <table>
      <caption>
        Waiting for approval by another person
      </caption>
      <thead>
        <tr>
          <th scope="col">requested (UTC)</th>
          <th scope="col">person</th>
          <th scope="col">what it will do</th>
          <th scope="col">target</th>
          <th scope="col">reason</th>
          <th scope="col">expires (UTC)</th>
        </tr>
      </thead>
      <tbody>
        ${waiting.map(
          ({ actionId, at, name, via, does, target, reason }) =>
            html`<tr>
              <td class="mono nowrap"><a href="/actions/${actionId}">${time(at)}</a></td>
              <td>${name} ${unverified({ via })}</td>
              <td class="long">${does}</td>
              <td class="mono">${target}</td>
              <td class="long">${reason}</td>
              <td class="mono nowrap">${time(expiry(at))}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
};

const expiry = (at: Date): Date => new Date(at.getTime() + approvalMs);

/** Says that the name of who asked was only given to the command. */
const unverified = ({ via }: Pick<WaitingAction, 'via'>): Html | undefined =>
  via === 'command' ? html`<span class="pill attention">by command: name not verified</span>` : undefined;

/** The form with which a second person decides. */
export const decisionForm = ({ actionId, does, at, name, via }: WaitingAction, csrf: string): Html => html`
  <section class="card" aria-label="Decide">
    <h2>Approve or refuse</h2>
    <form class="action" method="post" action="/actions/decide">
      <p>${does} If you approve it, it runs at once, and only once. It expires at ${time(expiry(at))} UTC.</p>
      ${via === 'command' ? html`<p class="is-problem" role="note">It was requested by command, where nobody verifies the name: ask ${name} before you approve it.</p>` : undefined}
      <input type="hidden" name="csrf" value="${csrf}" />
      <input type="hidden" name="action" value="${actionId}" />
      <label
        >Reason<input name="reason" required minlength="3" maxlength="500" autocomplete="off" />
        <span class="quiet">Recorded for years: name the case, not the person or an account.</span></label
      >
      <p class="links">
        <button type="submit" name="decision" value="approved" class="main">Approve</button>
        <button type="submit" name="decision" value="refused">Refuse</button>
      </p>
    </form>
  </section>
`;
