import type { RequestDetails } from '@xs2a/contracts/console.contract';
import { type Html, html } from '@xs2a/html/html';
import { ruleOfField } from '@xs2a/refusals/rules';
import { ruleAddress } from '../errors/error-pages.js';

interface Violation {
  readonly code: string;
  readonly path?: string;
  readonly text: string;
}

/** Returns the violations in a stored answer; an empty list if the answer has none or was not stored completely. */
export const violationsIn = ({ response }: RequestDetails): readonly Violation[] => {
  // A body that is not a JSON object is stored as a placeholder, such as `(hidden)`.
  if (response?.body?.startsWith('{') !== true || response.bodyCut === true) return [];
  const { tppMessages = [] } = JSON.parse(response.body) as { readonly tppMessages?: readonly Violation[] };
  return tppMessages;
};

const violationShown = (operation: string, { code, path, text }: Violation): Html => {
  const rule = path === undefined ? undefined : ruleOfField(operation, path);
  return html`<li>
    <p>
      <a href="/errors/${code}">${code}</a>
      ${path === undefined ? undefined : html`at <code>${path}</code>`}
    </p>
    <p>${text}</p>
    ${
      rule === undefined
        ? undefined
        : html`<p class="quiet"><a href="${ruleAddress(rule, code)}">${rule.title}</a></p>`
    }
  </li>`;
};

/**
 * Renders every violation of a refused call; undefined if the call has fewer than two, because the page already
 * explains the first.
 */
export const violationList = (call: RequestDetails): Html | undefined => {
  const all = violationsIn(call);
  return all.length < 2
    ? undefined
    : html`<h3>All ${all.length} violations</h3>
        <ul class="rows">
          ${all.map((one) => violationShown(call.operation, one))}
        </ul>`;
};
