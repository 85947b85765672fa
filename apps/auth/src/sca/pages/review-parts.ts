import { type Html, html } from '@xs2a/html/html';
import type { Language } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import type { Row } from '../requests/authorisation-request.js';
import { rowList } from './row-list.js';

export const amountRows = (rows: readonly Row[]): readonly Row[] =>
  rows.filter(({ isAmount }) => isAmount === true);

/** The rows that are listed below the headline. */
export const listRows = (rows: readonly Row[]): readonly Row[] =>
  rows.filter(({ isAmount, place }) => isAmount !== true && place === undefined);

/** The listed rows, with what an app may do and may not do in its place among them. */
export const rowsWithPermissions = (rows: readonly Row[]): Html => {
  const at = rows.findIndex(({ place }) => place === 'permissions');
  if (at === -1) return rowList(listRows(rows));
  return html`${rowList(listRows(rows.slice(0, at)))} ${rows[at]?.value} ${rowList(listRows(rows.slice(at)))}`;
};

/** The rows that a review folds away. */
export const moreRows = (rows: readonly Row[]): readonly Row[] =>
  rows.filter(({ place }) => place === 'more');

/** True if an amount, or the longest of several, needs smaller figures to fit on one line of a phone. */
const isLong = (value: Row['value']): boolean =>
  typeof value !== 'string' &&
  value.text.split('<span class="sum">').some((sum) => sum.replaceAll(/<[^>]*>/g, '').length > 16);

/** The amount in large figures, and the payee with the account. */
export const headline = (rows: readonly Row[], language: Language): Html => {
  const { row, review } = catalogues[language];
  const at = (wanted: Row['place']): Row | undefined => rows.find(({ place }) => place === wanted);
  const [payee, account] = [at('payee'), at('payeeAccount')];
  const amounts = amountRows(rows);
  const list = html`<dl class="headline">
    ${amounts.map(
      ({ label, value }) =>
        html`<div>
          <dt class="${label === row.amount ? 'unseen' : 'label'}">${label}</dt>
          <dd class="${isLong(value) ? 'amount long' : 'amount'}">${value}</dd>
        </div>`,
    )}
  </dl>`;
  const to =
    payee &&
    html`<p class="payee">${review.to} <b>${payee.value}</b>${account && html`<br />${account.value}`}</p>`;
  return html`${amounts.length === 0 ? undefined : list} ${to}`;
};
