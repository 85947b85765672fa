import { type Html, html } from '@xs2a/html/html';
import type { Entry, EntryPage } from '../requests/authorisation-request.js';
import type { Language } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';

/** The id of the text that labels the list. */
const labelId = 'entries-label';

interface ListView {
  readonly language: Language;
  /** The path of the page, used in the links to the other parts of the list. */
  readonly path: string;
}

const entry = ({ payee, account, amount, remittance, details }: Entry): Html =>
  html`<li>
    <p class="pair"><strong>${payee}</strong> ${amount}</p>
    ${account}
    <small>${remittance}</small>
    ${details.map(({ label, value }) => html`<small>${label}: ${value}</small>`)}
  </li>`;

const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0);

/** The links to all parts of a list that is too long for one page. */
const partLinks = ({ at, sizes }: EntryPage, { language, path }: ListView): Html | undefined => {
  if (sizes.length < 2) return undefined;
  const links = sizes.map((size, index) => {
    const before = sum(sizes.slice(0, index));
    const range = size === 1 ? String(before + 1) : `${before + 1}–${before + size}`;
    return index === at
      ? html`<span aria-current="true">${range}</span>`
      : html`<a href="${path}?page=${String(index + 1)}#${labelId}">${range}</a>`;
  });
  return html`<nav class="parts" aria-label="${catalogues[language].review.parts}">${links}</nav>`;
};

/**
 * The list in its own scrolling region, so that the buttons below 250 payments stay within reach; the region can
 * be focused with the keyboard.
 */
const region = (page: EntryPage, view: ListView): Html =>
  html`${partLinks(page, view)}
    <div class="scroll" role="region" aria-labelledby="${labelId}" tabindex="0">
      <ol class="payments" start="${String(sum(page.sizes.slice(0, page.at)) + 1)}">
        ${page.entries.map(entry)}
      </ol>
    </div>`;

/** The payments of a bulk payment or basket under a heading, with links to the other parts if there are several. */
export const entriesInFull = (page: EntryPage, view: ListView): Html =>
  html`<h2 id="${labelId}">${catalogues[view.language].review.entries(sum(page.sizes))}</h2>
    ${region(page, view)}`;

/**
 * The same list, collapsed because the PSU has seen it on the previous page; expanded if the PSU has moved to
 * another part of it.
 */
export const entriesFolded = (page: EntryPage, view: ListView, isOpen: boolean): Html =>
  html`<details${isOpen ? html` open` : undefined}>
    <summary id="${labelId}">${catalogues[view.language].review.entries(sum(page.sizes))}</summary>
    ${region(page, view)}
  </details>`;
