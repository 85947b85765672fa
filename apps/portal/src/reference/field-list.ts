import { type Html, html } from '@xs2a/html/html';
import { marked } from '../pages/marked.js';
import { conditionOf } from './field-conditions.js';
import type { FieldRow, Form, Need } from './fields.js';
import { firstErrorOf } from './first-errors.js';
import type { Operation } from './operations.js';

const pills: Readonly<Record<Need, string>> = { required: 'attention', conditional: 'neutral', optional: '' };

/** What each body needs: one word if all agree, else the products of each word. */
const needOf = ({ needs }: FieldRow, names: readonly string[]): Html | undefined => {
  const [first] = needs;
  if (needs.every((need) => need === first))
    return first === undefined || first === 'optional'
      ? undefined
      : html`<span class="pill ${pills[first]}">${first}</span>`;
  const words = ['required', 'conditional', 'optional', undefined] as const;
  return html`<ul class="needs">
    ${words.map((word) => {
      const products = names.filter((_, at) => needs[at] === word);
      return products.length === 0
        ? undefined
        : html`<li><b>${word ?? 'not accepted'}</b> ${products.join(', ')}</li>`;
    })}
  </ul>`;
};

const errorOf = (row: FieldRow, sentTo: FieldListOptions['sentTo']): Html | undefined => {
  const error = sentTo && firstErrorOf(row.path, sentTo);
  return error && html`<p class="wrong">If wrong: ${error.status} <code>${error.code}</code></p>`;
};

/**
 * Renders the rule that states when a field is required or refused; undefined if that does not depend on other fields.
 */
const conditionShown = (row: FieldRow, sentTo: FieldListOptions['sentTo']): Html | undefined => {
  const condition = sentTo && conditionOf(sentTo.operationId, row.path);
  return condition === undefined ? undefined : html`<p class="quiet">Rule: ${marked(condition)}</p>`;
};

export interface FieldListOptions {
  /** The products of the bodies, in the order of the needs. */
  readonly names?: readonly string[];
  /** The first part of the anchors, such as `body` for `#body-debtorAccount`; without it, fields have none. */
  readonly anchor?: string;
  /** The operation to which the fields are sent; without it, the list shows no errors of wrong values. */
  readonly sentTo?: Operation;
  /** Returns the address of the codes that a field takes; undefined for a field that takes none. */
  readonly codesOf?: (path: string) => string | undefined;
  /**
   * The codes that `tppMessages` of an answer can contain; without them, the list has no links to the pages of codes.
   */
  readonly messages?: readonly string[];
}

const codesLink = (address: string | undefined): Html | undefined =>
  address === undefined ? undefined : html`<a href="${address}">Codes</a>`;

/** Renders the codes that a field accepts as a folded list, if they are too many for the type. */
const codesShown = ({ codes }: Form): Html | undefined =>
  codes.length === 0
    ? undefined
    : html`<details class="codes">
        <summary>The ${codes.length} codes</summary>
        <p>${codes.map((code) => html`<code>${code}</code> `)}</p>
      </details>`;

/** Renders a link to the guide on addresses of an application, for a header that contains such an address. */
const addressesLink = (path: string): Html | undefined =>
  /^TPP-(?:Nok-)?(?:Redirect|Notification)-URI$/.test(path)
    ? html`<a href="/guides/test-your-tpp#addresses-of-your-application">Addresses</a>`
    : undefined;

/** Renders links to the pages of the codes that the status of a payment or basket can contain. */
const messagesLink = (codes: FieldListOptions['messages']): Html | undefined =>
  codes &&
  html`Codes:
  ${codes.map((code, at) => html`${at === 0 ? '' : ', '}<a href="/errors/${code}"><code>${code}</code></a>`)}`;

/** Renders the type, the codes and the meaning that a field has for some of the products. */
const formShown = (form: FieldRow['forms'][number], names: readonly string[]): Html =>
  html`<li>
    <b>${form.bodies.map((at) => names[at] ?? '').join(', ')}</b>
    <span class="quiet">${form.type}</span> ${codesShown(form)} ${form.meaning}
  </li>`;

const fieldShown = (row: FieldRow, options: FieldListOptions): Html => {
  const { names = [], anchor, sentTo, codesOf, messages } = options;
  const [form, ...others] = row.forms;
  const isSame = form !== undefined && others.length === 0;
  return html`<div
    class="${row.path.includes('.') ? 'field inner' : 'field'}"
    ${anchor === undefined ? undefined : html`id="${anchor}-${row.path}"`}
  >
    <dt>
      <code>${row.path}</code> ${isSame ? html`<span class="quiet">${form.type}</span>` : undefined}
      ${needOf(row, names)}
    </dt>
    <dd>
      ${
        isSame
          ? html`${form.meaning} ${codesShown(form)}`
          : html`<ul class="forms">
              ${row.forms.map((one) => formShown(one, names))}
            </ul>`
      }
      ${codesLink(codesOf?.(row.path))} ${row.path === 'tppMessages' ? messagesLink(messages) : undefined}
      ${addressesLink(row.path)} ${conditionShown(row, sentTo)} ${errorOf(row, sentTo)}
    </dd>
  </div>`;
};

/**
 * Renders a list of fields with type, need, meaning and, for fields that are sent, the first error of a wrong value. A
 * field that depends on the product shows the type and the meaning for each product. The content is the same at each
 * page width.
 */
export const fieldList = (rows: readonly FieldRow[], options: FieldListOptions = {}): Html =>
  html`<dl class="fields">${rows.map((row) => fieldShown(row, options))}</dl>`;
