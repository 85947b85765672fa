import { type Html, html } from '@xs2a/html/html';
import { commandLine } from '../pages/command-line.js';
import { actionForm } from '../actions/action-form.js';
import { revealsAnHour } from '../actions/operator-events.js';
import type { Revealed } from '../actions/reveals.js';
import { fieldNames, type WantedField } from './reveal-fields.js';

interface RevealForm {
  readonly kind: WantedField['kind'];
  readonly id: string;
  readonly csrf: string;
  /** True for a bulk payment, of whose entries one is chosen. */
  readonly hasEntries: boolean;
}

/** The form that reveals one field of a payment or consent. */
export const revealForm = ({ kind, id, csrf, hasEntries }: RevealForm): Html => html`
  <details class="card">
    <summary>Reveal a field</summary>
    ${actionForm({
      csrf,
      to: `/${kind}s/reveal`,
      does: `Shows one encrypted field, once. The console records who saw it and why. You can reveal ${revealsAnHour} times an hour.`,
      button: 'Reveal',
      command: revealCommand({ kind, id, field: 'psuId', entry: 1 }),
      hidden: { id },
      fields: html`<label
          >Field<select name="field">
            ${Object.entries(fieldNames[kind]).map(([value, label]) => html`<option value="${value}">${label}</option>`)}
          </select></label
        >
        ${
          hasEntries
            ? html`<label
                >Entry of the bulk payment<input
                  name="entry"
                  value="1"
                  inputmode="numeric"
                  maxlength="6"
                  required
              /></label>`
            : undefined
        }`,
    })}
  </details>
`;

/** The command that reveals a field, up to its reason. */
export const revealCommand = ({ kind, id, field, entry }: WantedField): string => {
  if (kind === 'consent') return `xs2a consents reveal ${id} --field ${field}`;
  return commandLine(`xs2a payments reveal ${id} --field ${field}`, {
    entry: entry === 1 ? undefined : String(entry),
  });
};

interface RevealedPage {
  readonly wanted: WantedField;
  readonly actionId: string;
  readonly revealed: Revealed<readonly string[]>;
}

/** The answer to the form: the only page that contains the value. */
export const revealedBody = ({ wanted, actionId, revealed }: RevealedPage): Html => {
  const { kind, id, entry } = wanted;
  const names: Readonly<Record<string, string>> = fieldNames[kind];
  return html`
    ${
      'refused' in revealed
        ? html`<p class="card is-problem" role="alert">${revealed.refused}</p>`
        : html`<section class="card" aria-label="Revealed">
            <dl class="pairs">
              <dt>${names[wanted.field]}${entry === 1 ? undefined : ` of entry ${entry}`}</dt>
              ${revealed.shown.length === 0 ? html`<dd>none was given</dd>` : revealed.shown.map((value) => html`<dd>${value}</dd>`)}
            </dl>
            <p class="quiet">
              This page shows it once. <a href="/actions/${actionId}">The record</a> says that you saw it.
              ${revealed.left} of ${revealsAnHour} reveals are left within the hour.
            </p>
          </section>`
    }
    <p class="links">
      <a class="button" href="/${kind}s/${id}">Back to the ${kind}</a>
    </p>
  `;
};
