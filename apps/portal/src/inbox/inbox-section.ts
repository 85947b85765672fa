import { type Html, html } from '@xs2a/html/html';
import { isLoopbackHost } from '@xs2a/runtime/receivers/public-address';
import { codeBlock } from '../pages/code.js';
import { instant } from '../workspace/instant.js';
import type { Session } from '../workspace/session.js';
import { csrfField } from '../workspace/workspace-page.js';
import { failures } from './inbox-entries.js';
import type { ShownInbox, VerifiedEntry } from './own-inbox.js';
import { maxAnswers, type Plan } from './planned-answers.js';

/** The path of the form that makes an inbox. */
const inboxForm = '/workspace/push/inbox';
/** The path of the form that lets its next answers fail. */
const failuresForm = `${inboxForm}/failures`;
/** How many characters of a body are shown. */
const shownLength = 4000;

/** The inbox of a TPP: its address and what it received, or the form that makes one. */
export const inboxSection = (session: Session, inbox: ShownInbox | undefined): Html =>
  html`<section aria-labelledby="inbox">
    <h2 id="inbox">Inbox</h2>
    ${inbox === undefined ? withoutInbox(session) : received(session, inbox)}
  </section>`;

const withoutInbox = (session: Session): Html =>
  html`<p>
      If your application has no server that the bank can reach, an inbox receives its notifications and shows
      them here. This adds a redirect URI at this portal to your registration, because the bank sends
      notifications only to the origins of your redirect URIs.
    </p>
    <form method="post" action="${inboxForm}">
      ${csrfField(session)} <button class="button">Create an inbox</button>
    </form>`;

const received = (session: Session, { address, entries, plan }: ShownInbox): Html =>
  html`<p>Send this header when you create a payment or a consent:</p>
    ${codeBlock('Header', `TPP-Notification-URI: ${address}`)}
    <p class="quiet">
      Anybody who knows the address can send to it. It keeps the latest 100 entries for 24 hours.
      ${
        isLoopbackHost(new URL(address).hostname)
          ? 'The bank reaches this local address only if its services run on the same machine without containers.'
          : undefined
      }
    </p>
    ${plan === undefined ? failForm(session) : planned(session, plan)}
    ${
      entries.length === 0
        ? html`<p>The inbox is empty.</p>`
        : html`<ul class="rows">
            ${entries.map(entryShown)}
          </ul>`
    }`;

const failForm = (session: Session): Html =>
  html`<form class="form" method="post" action="${failuresForm}">
    ${csrfField(session)}
    <label
      >Fail on purpose with
      <select name="failure">
        ${failures.map((failure) => html`<option>${failure}</option>`)}
      </select>
    </label>
    <label
      >Number of answers
      <input name="answers" type="number" min="1" max="${maxAnswers}" value="1" required />
    </label>
    <p><button class="button second">Let the next answers fail</button></p>
  </form>`;

const planned = (session: Session, { failure, answers }: Plan): Html =>
  html`<form method="post" action="${failuresForm}/end">
    ${csrfField(session)}
    <p>
      <span class="pill attention">fails on purpose</span>
      ${answers === 1 ? 'The next answer is' : html`The next ${answers} answers are`}: ${failure}.
    </p>
    <p><button class="button second">Answer as usual</button></p>
  </form>`;

const entryShown = (entry: VerifiedEntry): Html => {
  const { time, headers, problem, answer } = entry;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return html`<li>
    <p>
      ${
        problem === undefined
          ? html`<span class="pill good">signature verified</span>`
          : html`<span class="pill problem">not verified</span> ${problem}`
      }
    </p>
    <p class="quiet">${instant(time)} answered ${answer}</p>
    <details>
      <summary>Headers and body</summary>
      ${codeBlock('Headers', lines.join('\n'))} ${bodyShown(entry)}
    </details>
  </li>`;
};

const bodyShown = ({ body }: VerifiedEntry): Html => {
  const text = Buffer.from(body, 'base64url').toString();
  if (text.length <= shownLength) return codeBlock('Body', text);
  return codeBlock(
    `The first ${shownLength} of ${text.length} characters of the body`,
    text.slice(0, shownLength),
  );
};
