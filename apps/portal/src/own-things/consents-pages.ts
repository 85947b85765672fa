import { type Html, html } from '@xs2a/html/html';
import type { Session } from '../workspace/session.js';
import { csrfField, earlier, workspacePage } from '../workspace/workspace-page.js';
import type { Listed, OwnConsent, TimelineEvent } from './own-things.js';
import { signForm } from './signing.js';
import { endedBadly, pillOf, unsigned, whatHappened } from './timelines.js';

/** The consents of the TPP. */
export const consentsPage = (session: Session, { items, next }: Listed<OwnConsent>, message?: Html): Html =>
  workspacePage({
    session,
    path: '/workspace/consents',
    title: 'Consents',
    body: html`${message}
      <p class="lead">The consents of your application, newest first.</p>
      ${
        items.length === 0
          ? html`<p>None. <a href="/workspace/try/createConsent">Try a consent</a>.</p>`
          : html`<ul class="rows calls">
              ${items.map(
                ({ consentId, consentStatus, validUntil, recurringIndicator, accounts }) =>
                  html`<li>
                    ${pillOf(consentStatus)}
                    <a href="/workspace/consents/${consentId}"><code>${consentId}</code></a>
                    <span class="quiet"
                      >${recurringIndicator ? 'recurring' : 'once'}, until ${validUntil}, ${accounts}
                      ${accounts === 1 ? 'account' : 'accounts'}</span
                    >
                    ${consentForms(session, { consentId, consentStatus })}
                  </li>`,
              )}
            </ul>`
      }
      ${earlier('/workspace/consents', next)}`,
  });

/** What the user can do with a consent that has not ended. */
const consentForms = (
  session: Session,
  { consentId, consentStatus }: Pick<OwnConsent, 'consentId' | 'consentStatus'>,
): Html | undefined => {
  if (endedBadly.has(consentStatus)) return undefined;
  return html`<form method="post" action="/workspace/consents">
      ${csrfField(session)} <input type="hidden" name="consentId" value="${consentId}" />
      <button class="link" name="action" value="end" aria-label="End: ${consentId}">End</button>
      <button class="link" name="action" value="expire" aria-label="Expire now: ${consentId}">
        Expire now
      </button>
    </form>
    ${unsigned.has(consentStatus) ? signForm(session, '/workspace/consents', consentId) : undefined}`;
};

export interface ShownConsent {
  readonly session: Session;
  readonly consentId: string;
  /** What happened, in the order of time. */
  readonly events: readonly TimelineEvent[];
  /** The number of older events. */
  readonly leftOut: number;
}

/** One consent with what happened to it. */
export const consentPage = ({ session, consentId, events, leftOut }: ShownConsent): Html => {
  const consentStatus = events.at(-1)?.status;
  return workspacePage({
    session,
    path: `/workspace/consents/${consentId}`,
    title: 'Consent',
    body: html`<p class="quiet"><code>${consentId}</code></p>
      ${
        consentStatus === undefined || endedBadly.has(consentStatus)
          ? html`<p>This consent has ended.</p>`
          : consentForms(session, { consentId, consentStatus })
      }
      ${whatHappened(events, leftOut, ({ reason }) => (reason === undefined ? undefined : html`<p>${textOf(reason)}</p>`))}
      <p><a href="/workspace/consents">All consents</a></p>`,
  });
};

/** The name of a reason, with what it means where the name does not say it. */
const textOf = (reason: string): string =>
  reason === 'not-the-account-owner'
    ? `${reason}: an account in access is not the PSU’s, is closed, or has another currency`
    : reason;
