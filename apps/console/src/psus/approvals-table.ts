import {
  type WaitingApproval,
  type WaitingApprovals,
} from '@xs2a/contracts/console/waiting-approvals.contract';
import { noApprovals } from '@xs2a/doctor/open-approvals';
import { type Html, html } from '@xs2a/html/html';
import { actionForm } from '../actions/action-form.js';
import { revealsAnHour } from '../actions/operator-events.js';
import type { Revealed } from '../actions/reveals.js';

/** Returns the form with which support finds the payments, baskets and consents that wait for the approval of a PSU. */
export const approvalsForm = (psuId: string, csrf: string): Html => html`
  <details class="card">
    <summary>Find open approvals</summary>
    ${actionForm({
      csrf,
      to: '/psus/approvals',
      does: `Shows which payments, orders, baskets and consents wait for this PSU, and until when. It counts as one of ${revealsAnHour} reveals an hour.`,
      button: 'Find',
      command: 'xs2a psu approvals PSU_ID',
      hidden: { psuId },
    })}
  </details>
`;

/** Returns the result of {@link approvalsForm}: a table of ids, TPPs and times, without names, accounts and amounts. */
export const approvalsTable = (revealed: Revealed<WaitingApprovals>, actionId: string): Html => {
  if ('refused' in revealed) return html`<p class="card is-problem" role="alert">${revealed.refused}</p>`;
  const { approvals, isCut } = revealed.shown;
  return html`<section class="card wide" tabindex="0" aria-label="Open approvals">
      ${
        approvals.length === 0
          ? html`<h2>Open approvals</h2>
              <p role="status">${noApprovals}</p>`
          : tableOf(approvals)
      }
    </section>
    <p class="quiet">
      ${isCut === true ? 'There may be more: these are the newest. ' : ''}
      <a href="/actions/${actionId}">The record</a> says that you asked. ${revealed.left} of ${revealsAnHour}
      reveals are left within the hour.
    </p>`;
};

const tableOf = (approvals: readonly WaitingApproval[]): Html =>
  html`<table>
    <caption>
      Open approvals, newest first
    </caption>
    <thead>
      <tr>
        <th scope="col">what</th>
        <th scope="col">id</th>
        <th scope="col">TPP</th>
        <th scope="col">since (UTC)</th>
        <th scope="col">until (UTC)</th>
        <th scope="col">this PSU</th>
        <th scope="col">signed</th>
      </tr>
    </thead>
    <tbody>
      ${approvals.map(
        ({ kind, id, tppId, createdAt, expiresAt, scaStatus, signatures }) =>
          html`<tr>
            <td>${kind}</td>
            <td class="mono">${id}</td>
            <td>${tppId}</td>
            <td class="mono nowrap">${moment(createdAt)}</td>
            <td class="mono nowrap">${moment(expiresAt)}</td>
            <td>${scaStatus === 'received' ? 'has not signed in' : 'has signed in'}</td>
            <td>${signatures.given} of ${signatures.required}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;

const moment = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)}`;
