import { accessTypes } from '@xs2a/domain/consent/consent-events';
import { type Html, html } from '@xs2a/html/html';
import type { Language } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import type { Row } from '../requests/authorisation-request.js';

const list = (included: readonly string[], excluded: readonly string[], language: Language): Html => {
  const { yes, no } = catalogues[language].permissions;
  return html`<ul class="permissions">
    ${included.map((text) => html`<li><span class="unseen">${yes}: </span>${text}</li>`)}
    ${excluded.map((text) => html`<li class="no"><span class="unseen">${no}: </span>${text}</li>`)}
  </ul>`;
};

/** What a consent includes and what it does not: a type of access counts as included if one account has it. */
export const accessPermissions = (types: ReadonlySet<string>, language: Language): Row => {
  const { row, permissions } = catalogues[language];
  const [included, excluded] = [true, false].map((isIncluded) =>
    accessTypes.filter((type) => types.has(type) === isIncluded).map((type) => permissions[type]),
  );
  return {
    label: row.what,
    value: list(included ?? [], [...(excluded ?? []), permissions.paying], language),
    place: 'permissions',
  };
};

/** What a grant for funds confirmation includes. */
export const fundsPermissions = (language: Language): Row => {
  const { row, value, permissions } = catalogues[language];
  return {
    label: row.what,
    value: list(
      [value.yesOrNo],
      [permissions.balances, permissions.transactions, permissions.paying],
      language,
    ),
    place: 'permissions',
  };
};
