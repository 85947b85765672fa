import type { LiftedLock, PsuSca } from '@xs2a/contracts/auth.contract';
import { durationText } from '@xs2a/doctor/durations';
import { type Html, html } from '@xs2a/html/html';
import { timeOf } from '../pages/times.js';
import { actionForm } from '../actions/action-form.js';

/** A PSU-ID that somebody asked about, and what is known about it; undefined if nothing is. */
export interface AskedPsu {
  readonly psuId: string;
  /** The name of the PSU in recorded actions. */
  readonly tag: string;
  readonly sca: PsuSca | undefined;
}

/** A form for a PSU-ID. It is sent by POST, so that the PSU-ID is in no address and no log. */
export const askForm = (csrf: string): Html => html`
  <form class="filter" method="post" action="/psus" aria-label="PSU">
    <input type="hidden" name="csrf" value="${csrf}" />
    <label>PSU-ID<input name="psuId" required maxlength="64" autocomplete="off" spellcheck="false" /></label>
    <button type="submit">Show</button>
  </form>
`;

/** The SCA of a PSU. `nowMs` is the bank's time. */
export const psuBody = (
  { psuId, tag, sca }: AskedPsu,
  { csrf, nowMs }: { csrf: string; nowMs: number },
): Html => {
  if (sca === undefined)
    return html`<section class="card" aria-label="PSU">
      <h2>PSU ${psuId}</h2>
      <p role="status">
        <span class="pill neutral">unknown</span> There is no record of a sign-in, or of an attempt, with this
        PSU-ID. Let the caller read it out.
      </p>
    </section>`;
  return html`
    <section class="card" aria-label="PSU">
      <h2>PSU ${psuId}</h2>
      <p>${lockText(sca, nowMs)}</p>
      <p>
        ${sca.failures} ${sca.failures === 1 ? 'failure' : 'failures'} in a row: wrong passwords and codes.
      </p>
      ${failureTimes(sca)}
      <p class="quiet">Recorded actions name this PSU <span class="mono">${tag}</span>.</p>
    </section>
    ${sca.lockedUntil === undefined ? undefined : liftForm(psuId, csrf)} ${liftedTable(sca.lifted)}
  `;
};

/** Support compares them with what the caller says. */
const failureTimes = ({ failedAt = [] }: PsuSca): Html | undefined =>
  failedAt.length === 0
    ? undefined
    : html`<details>
        <summary>When they were</summary>
        <ul class="mono">
          ${failedAt.map((at) => html`<li>${timeOf(at)}</li>`)}
        </ul>
        <p class="quiet">The latest ${failedAt.length}, in UTC, also those before a completed sign-in.</p>
      </details>`;

const lockText = ({ lockedUntil }: PsuSca, nowMs: number): Html => {
  if (lockedUntil === undefined) return html`<span class="pill good">not locked</span> SCA is not locked.`;
  const left = Math.max(0, Date.parse(lockedUntil) - nowMs);
  return html`<span class="pill attention">locked</span> SCA is locked until
    <time datetime="${lockedUntil}">${lockedUntil.slice(11, 16)} UTC</time>, for another
    ${durationText(left)}.`;
};

const liftForm = (psuId: string, csrf: string): Html => html`
  <section class="card" aria-label="Lift the lock">
    <h2>Lift the lock of ${psuId}</h2>
    ${actionForm({
      csrf,
      to: '/psus/lift-sca-lock',
      does: 'The PSU can sign in again at once, failures count from zero, and the next sign-in says that the bank lifted the lock. First make sure that the caller is the customer and made the failures.',
      button: 'Lift the lock',
      command: 'xs2a psu unlock PSU_ID',
      hidden: { psuId },
    })}
  </section>
`;

const liftedTable = (lifted: readonly LiftedLock[]): Html | undefined =>
  lifted.length === 0
    ? undefined
    : html`<section class="card wide" tabindex="0" aria-label="Lifted locks">
        <table>
          <caption>
            Locks that were lifted, newest first
          </caption>
          <thead>
            <tr>
              <th scope="col">lifted (UTC)</th>
              <th scope="col">locked until</th>
              <th scope="col">by</th>
              <th scope="col">reason</th>
            </tr>
          </thead>
          <tbody>
            ${lifted.map(
              ({ at, lockedUntil, operator, reason }) =>
                html`<tr>
                  <td class="mono nowrap">${moment(at)}</td>
                  <td class="mono nowrap">${moment(lockedUntil)}</td>
                  <td>${operator}</td>
                  <td>${reason}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </section>`;

const moment = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)}`;
