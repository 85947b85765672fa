import { type Html, html } from '@xs2a/html/html';
import type { CallSetting } from '@xs2a/refusals/corrected-request';
import { explain } from '@xs2a/refusals/explain';
import { explained } from '@xs2a/refusals/explained';
import { failedPart } from '@xs2a/refusals/failed-part';
import type { CallEntity } from '../calls/call.entity.js';

/** HTTP statuses of a client that disconnected and of the bank's own failures. */
const disconnected = 499;
const failed = 500;

/** Why a call was refused or failed; undefined for a call that was served. */
export const why = (call: CallEntity, setting: CallSetting): Html | undefined => {
  if (call.status < 400 || call.status === disconnected) return undefined;
  const explanation = explain(call, setting);
  return html`<section class="card" aria-label="Why the call at ${call.at.toISOString()} got ${call.status}">
    <h2>Why</h2>
    ${call.status >= failed ? failure(call) : undefined}
    ${explanation === undefined ? unknown : explained(explanation, { showsPages: true })}
  </section>`;
};

const unknown = html`<p>The rule is not known: the gateway that reported this call has another release.</p>`;

const failure = ({ dependency }: CallEntity): Html => {
  const { sentence, runbook } = failedPart(dependency);
  return html`<p>${sentence} <span class="quiet">runbook: ${runbook}</span></p>`;
};
