import type { UnfinishedTransaction } from '@xs2a/contracts/settlement.contract';
import type { Timeline } from '@xs2a/contracts/timeline.contract';
import type { ConsentStatus } from '@xs2a/domain/consent/consent-state';
import { consentStatuses, isFinalConsent } from '@xs2a/domain/consent/consent-transitions';
import { type Html, html } from '@xs2a/html/html';
import { actionForm } from '../actions/action-form.js';
import type { Facts } from './resource-page.js';

interface Shown {
  readonly id: string;
  readonly timeline: Timeline<Facts>;
  readonly unfinished: readonly UnfinishedTransaction[] | undefined;
  readonly csrf: string;
}

/** The forms of the actions that are possible for a payment or a consent now. */
export const actionForms = ({ id, timeline, unfinished, csrf }: Shown): Html | undefined => {
  const { facts, events } = timeline;
  const status = events.at(-1)?.status;
  if (facts.kind === 'consent')
    return isConsentStatus(status) && !isFinalConsent(status) ? endForm(id, csrf) : undefined;
  if (facts.kind === 'signing-basket') return undefined;
  const fails = unfinished?.some(({ failures }) => failures > 0) === true;
  return html`
    ${fails ? tryNowForm(id, csrf) : undefined} ${mayBeDue(timeline) ? handOverForm(id, csrf) : undefined}
  `;
};

const isConsentStatus = (status: string | null | undefined): status is ConsentStatus =>
  consentStatuses.some((known) => known === status);

const endForm = (consentId: string, csrf: string): Html => html`
  <section class="card" aria-label="End this consent">
    <h2>End this consent</h2>
    ${actionForm({
      csrf,
      to: '/consents/end',
      does: 'The TPP has no more access, at once and for good, and is notified. A valid consent expires; one that awaits a signature is rejected. The PSU can give a new consent.',
      button: 'End this consent',
      command: `xs2a consents end ${consentId}`,
      hidden: { consentId },
    })}
  </section>
`;

const tryNowForm = (paymentId: string, csrf: string): Html => html`
  <section class="card" aria-label="Try now">
    <h2>Try now</h2>
    ${actionForm({
      csrf,
      to: '/payments/try-now',
      does: 'The settlement worker makes the next attempt at once, in place of the later one. Nothing is booked twice.',
      button: 'Try now',
      command: `xs2a settlement try-now ${paymentId}`,
      hidden: { paymentId },
    })}
  </section>
`;

/** True if the payment was signed and has not ended without execution. */
const mayBeDue = ({ events, leftOut }: Timeline<Facts>): boolean => {
  const last = events.at(-1);
  const wasSigned = leftOut > 0 || events.some(({ type }) => type === 'signed');
  return wasSigned && last?.type !== 'entry-booked' && last?.status !== 'CANC' && last?.status !== 'RJCT';
};

const handOverForm = (paymentId: string, csrf: string): Html => html`
  <details class="card">
    <summary>Hand to settlement again</summary>
    ${actionForm({
      csrf,
      to: '/payments/hand-over',
      does: 'For a payment that is due and does not appear in settlement: its row, by which settlement finds it, is derived again from its events. If it is due, the worker settles it now. Nothing is booked twice.',
      button: 'Hand to settlement again',
      command: `xs2a settlement hand-over ${paymentId}`,
      hidden: { paymentId },
    })}
  </details>
`;
