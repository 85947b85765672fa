import { type Html, html } from '@xs2a/html/html';
import type { CallSetting } from '@xs2a/refusals/corrected-request';
import type { DescribedField } from '@xs2a/refusals/described-field';
import { type Explanation, explain } from '@xs2a/refusals/explain';
import { factPairs } from '@xs2a/refusals/fact-lines';
import { failedPart } from '@xs2a/refusals/failed-part';
import type { Line } from '@xs2a/refusals/printed-json';
import type { Rule } from '@xs2a/refusals/rules';
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
    ${explanation === undefined ? unknown : explained(explanation)}
  </section>`;
};

const unknown = html`<p>The rule is not known: the gateway that reported this call has another release.</p>`;

const failure = ({ dependency }: CallEntity): Html => {
  const { sentence, runbook } = failedPart(dependency);
  return html`<p>${sentence} <span class="quiet">runbook: ${runbook}</span></p>`;
};

const explained = ({ rules, advice, field, corrected, steps }: Explanation): Html => html`
  ${rules.map(ruleText)}
  <h3>Advice</h3>
  <p>${advice}</p>
  ${field === undefined ? undefined : fieldFacts(field)}
  ${corrected === undefined ? undefined : request(corrected)}
  ${steps === undefined ? undefined : stepList(steps)}
`;

/** Shows text between backticks as code. */
const withCode = (text: string): readonly (Html | string)[] =>
  text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const ruleText = ({ rule, title, page, anchor, text }: Rule): Html => html`
  <h3>${capital(rule)}: ${title}</h3>
  <blockquote>${withCode(text)}</blockquote>
  <p class="quiet mono">${page}#${anchor}</p>
`;

const places = {
  body: 'in the body',
  header: 'a header',
  query: 'a query parameter',
  path: 'in the path',
} as const satisfies Readonly<Record<DescribedField['place'], string>>;

const fieldTitle = ({ path, place }: DescribedField): Html =>
  path === ''
    ? html`<h3>The body</h3>`
    : html`<h3>Field <span class="mono">${path}</span> <span class="quiet">${places[place]}</span></h3>`;

const fieldFacts = (field: DescribedField): Html => html`
  ${fieldTitle(field)}
  ${field.forms.map(
    ({ facts, requests }) =>
      html`${requests.length === 0 ? undefined : html`<p class="quiet mono">${requests.join(', ')}</p>`}
        <dl class="pairs">
          ${factPairs(facts).map(
            ([name, value]) =>
              html`<dt>${name}</dt>
                <dd class="${name === 'pattern' ? 'mono' : ''}">${value}</dd>`,
          )}
        </dl>`,
  )}
`;

const request = (lines: readonly Line[]): Html => html`
  <h3>Corrected request <span class="quiet">example of the API description</span></h3>
  <pre class="wide" tabindex="0" aria-label="Corrected request">
${lines.map(({ text, isField }, index) => html`${index === 0 ? '' : '\n'}${isField ? html`<mark>${text}</mark>` : text}`)}</pre>
`;

const stepList = (steps: readonly string[]): Html => html`
  <h3>What helps</h3>
  <ol>
    ${steps.map((step) => html`<li>${step}</li>`)}
  </ol>
`;
