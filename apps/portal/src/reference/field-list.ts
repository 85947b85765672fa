import { type Html, html } from '@xs2a/html/html';
import type { FieldRow, Need } from './fields.js';
import { firstErrorOf } from './first-errors.js';

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

const errorOf = (row: FieldRow): Html | undefined => {
  const error = firstErrorOf(row.path);
  return error && html`<p class="wrong">If wrong: ${error.status} <code>${error.code}</code></p>`;
};

export interface FieldListOptions {
  /** The products of the bodies, in the order of the needs. */
  readonly names?: readonly string[];
  /** The first part of the anchors, such as `body` for `#body-debtorAccount`; without it, fields have none. */
  readonly anchor?: string;
  /** Returns the address of the codes that a field takes; undefined for a field that takes none. */
  readonly codesOf?: (path: string) => string | undefined;
}

const codesLink = (address: string | undefined): Html | undefined =>
  address === undefined ? undefined : html`<a href="${address}">Codes</a>`;

/**
 * A list of fields with type, need, meaning and, for what is sent, the first error of a wrong value. It reads the same at each
 * width.
 */
export const fieldList = (
  rows: readonly FieldRow[],
  { names = [], anchor, codesOf }: FieldListOptions = {},
): Html =>
  html`<dl class="fields">
    ${rows.map((row) => {
      const depth = row.path.split('.').length - 1;
      return html`<div
        class="${depth === 0 ? 'field' : 'field inner'}"
        ${anchor === undefined ? undefined : html`id="${anchor}-${row.path}"`}
      >
        <dt><code>${row.path}</code> <span class="quiet">${row.type}</span> ${needOf(row, names)}</dt>
        <dd>
          ${row.meaning} ${codesLink(codesOf?.(row.path))} ${anchor === undefined ? undefined : errorOf(row)}
        </dd>
      </div>`;
    })}
  </dl>`;
