import type { OwnNotification } from '@xs2a/contracts/push/own-notifications.contract';
import { type Html, html } from '@xs2a/html/html';
import { inboxSection } from '../inbox/inbox-section.js';
import type { ShownInbox } from '../inbox/own-inbox.js';
import { codeBlock } from '../pages/code.js';
import { instant } from '../workspace/instant.js';
import type { Session } from '../workspace/session.js';
import { earlier, note, csrfField, workspacePage } from '../workspace/workspace-page.js';

export interface Push {
  readonly session: Session;
  readonly notifications: readonly OwnNotification[];
  /** The cursor of the next page. */
  readonly next?: string | undefined;
  /** The TPP's inbox; undefined if it has none. */
  readonly inbox?: ShownInbox | undefined;
  /** What the form before did. */
  readonly done?: string | undefined;
  readonly refusal?: Html | undefined;
}

/** The notifications of the TPP, with what its receiver answered. */
export const pushPage = ({ session, notifications, next, inbox, done, refusal }: Push): Html =>
  workspacePage({
    session,
    path: '/workspace/push',
    title: 'Push',
    body: html`${refusal} ${done === undefined ? undefined : note('good', done)}
      <p class="lead">
        The notifications to your application that are waiting or ended in the last 24 hours, newest first.
        <a href="/events">What is pushed</a>, and
        <a href="/guides/verify-a-notification">how to verify it</a>.
      </p>
      ${
        notifications.length === 0
          ? html`<p>
              No notifications. Send <code>TPP-Notification-URI</code> when you create a payment or a consent.
            </p>`
          : html`<ul class="rows">
              ${notifications.map((one) => row(session, one))}
            </ul>`
      }
      ${earlier('/workspace/push', next)} ${inboxSection(session, inbox)}`,
  });

const states = {
  waiting: ['attention', 'waiting'],
  delivered: ['good', 'delivered'],
  deadLetter: ['problem', 'dead letter'],
} as const;
const resources = { payment: 'Payment', consent: 'Consent', signingBasket: 'Signing basket' } as const;

const row = (session: Session, one: OwnNotification): Html => {
  const [colour, state] = states[one.state];
  return html`<li>
    <p>
      <span class="pill ${colour}">${state}</span> <b>${one.status}</b>
      <span class="quiet">${instant(one.createdAt)}</span>
    </p>
    <p class="quiet">
      ${resources[one.resourceType]} <code>${one.resourceId}</code> to <code>${one.uri}</code>
    </p>
    ${attemptsShown(one)}
    <details>
      <summary>Body and signature</summary>
      ${codeBlock('Body, as it is signed', one.body)}
      ${
        one.signature === undefined
          ? undefined
          : codeBlock('X-JWS-Signature of the latest attempt', one.signature)
      }
    </details>
    ${button(session, one)}
  </li>`;
};

const attemptsShown = ({ attempts, nextAttemptAt }: OwnNotification): Html =>
  html`${
    attempts.length === 0
      ? html`<p>Not sent yet.</p>`
      : html`<ul>
          ${attempts.map(({ time, answer }) => html`<li>${instant(time)} ${answer}</li>`)}
        </ul>`
  }
  ${nextAttemptAt === undefined ? undefined : html`<p>Next attempt: ${instant(nextAttemptAt)}</p>`}`;

/** The button for what the state allows; it names the notification, so that a screen reader can tell two apart. */
const button = (session: Session, { state, status, notificationId }: OwnNotification): Html => {
  const [action, text] =
    state === 'waiting' ? ['dead-letter', 'Make it a dead letter'] : ['replay', 'Send it again'];
  return html`<form method="post" action="/workspace/push">
    ${csrfField(session)} <input type="hidden" name="notificationId" value="${notificationId}" />
    <button class="button second" name="action" value="${action}" aria-label="${text}: ${status}">
      ${text}
    </button>
  </form>`;
};
