import { type Html, html } from '@xs2a/html/html';
import type { CorrectedRequest } from './corrected-request.js';
import type { DescribedField } from './described-field.js';
import type { Explanation } from './explain.js';
import { factPairs } from './fact-lines.js';
import type { Rule } from './rules.js';

interface ExplainedOptions {
  /** True if the explanation also names the page of this repository that contains each rule. */
  readonly showsPages: boolean;
  /**
   * Returns the address to which a rule links. A rule with a link is shown by its title only, because a TPP does not know the
   * chapters of this repository. Without this function, rules are not links, and are shown with their chapter.
   */
  readonly addressOf?: (rule: Rule) => string;
  /** What precedes an advice that is not the text of the answer. */
  readonly unknownAnswer?: string;
}

/**
 * Renders the explanation of a refused call: the rules, the advice, the field, and a corrected request or the calls
 * that help.
 */
export const explained = (
  { rules, advice, isAdviceOfAnswer, field, corrected, steps }: Explanation,
  { showsPages, addressOf, unknownAnswer }: ExplainedOptions,
): Html => html`
  ${rules.map((rule) => ruleText(rule, showsPages, addressOf?.(rule)))}
  <h3>Advice</h3>
  ${isAdviceOfAnswer || unknownAnswer === undefined ? undefined : html`<p class="quiet">${unknownAnswer}</p>`}
  <p>${advice}</p>
  ${field === undefined ? undefined : fieldFacts(field)}
  ${corrected === undefined ? undefined : request(corrected)}
  ${steps === undefined ? undefined : stepList(steps)}
`;

/** Shows text between backticks as code. */
const withCode = (text: string): readonly (Html | string)[] =>
  text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const ruleText = (
  { rule, title, page, anchor, text }: Rule,
  showsPages: boolean,
  address: string | undefined,
): Html => html`
  <h3>${address === undefined ? `${capital(rule)}: ${title}` : html`<a href="${address}">${title}</a>`}</h3>
  <blockquote>${withCode(text)}</blockquote>
  ${showsPages ? html`<p class="quiet mono">${page}#${anchor}</p>` : undefined}
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

const request = ({ lines, rest, hasSampleIds, isOfOtherProduct }: CorrectedRequest): Html => html`
  <h3>Corrected request</h3>
  <p class="quiet">
    ${isOfOtherProduct ? 'An example of another payment product, because this bank refuses every payment of the one in your call.' : 'An example.'}
    ${hasSampleIds ? 'Replace its ids or IBAN by yours, and send it' : 'Send it'} with the ${rest} of the
    call.
  </p>
  <pre class="wide" tabindex="0" aria-label="Corrected request">
${lines.map(({ text, isField }, index) => html`${index === 0 ? '' : '\n'}${isField ? html`<mark>${text}</mark>` : text}`)}</pre>
`;

const stepList = (steps: readonly string[]): Html => html`
  <h3>What helps</h3>
  <ol>
    ${steps.map((step) => html`<li>${step}</li>`)}
  </ol>
`;
