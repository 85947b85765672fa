import { type Html, html } from '@xs2a/html/html';
import { instant } from '../workspace/instant.js';
import type { TimelineEvent } from './own-things.js';

/** The statuses in which a signature is missing. */
export const unsigned = new Set(['RCVD', 'PATC', 'received', 'partiallyAuthorised']);
export const endedWell = new Set(['ACSC', 'ACCC', 'valid']);
export const endedBadly = new Set(['RJCT', 'CANC', 'rejected', 'expired', 'revokedByPsu', 'terminatedByTpp']);
export const pillOf = (status: string): Html =>
  html`<span class="pill ${endedWell.has(status) ? 'good' : endedBadly.has(status) ? 'problem' : 'neutral'}"
    >${status}</span
  >`;

/** The events of a payment or a consent, oldest first. `details`: what an event has besides its type, status and time. */
export const whatHappened = (
  events: readonly TimelineEvent[],
  leftOut: number,
  details: (event: TimelineEvent) => Html | undefined,
): Html =>
  html`<h2>What happened</h2>
    ${leftOut === 0 ? undefined : html`<p class="quiet">${leftOut} older events are not shown.</p>`}
    <ol class="rows">
      ${events.map(
        (event) =>
          html`<li>
            <p>
              <b>${event.type}</b> ${event.status === undefined ? undefined : pillOf(event.status)}
              <span class="quiet">${instant(event.time)}</span>
            </p>
            ${details(event)}
          </li>`,
      )}
    </ol>`;
