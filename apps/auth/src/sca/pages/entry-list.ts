import { type Html, html } from '@xs2a/html/html';
import type { Entry, EntryPage, Row } from '../requests/authorisation-request.js';
import type { Language } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import { rowList } from './row-list.js';

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

/** How many payments a review shows before the fold. */
const inView = 3;

const list = (entries: readonly Entry[], start: number): Html =>
  html`<ol class="payments" start="${String(start)}">
    ${entries.map(entry)}
  </ol>`;

const sameText = (one: Row, other: Row): boolean =>
  one.label === other.label && plainText(one.value) === plainText(other.value);
const plainText = (value: Row['value']): string => (typeof value === 'string' ? value : value.text);

/** What all payments of a list that fits on one page have in common, and the payments without it. */
const splitShared = ({
  entries,
  sizes,
}: EntryPage): { readonly shared: readonly Row[]; readonly entries: readonly Entry[] } => {
  const [first] = entries;
  if (first === undefined || entries.length < 2 || sizes.length > 1) return { shared: [], entries };
  const shared = first.details.filter((row) =>
    entries.every(({ details }) => details.some((detail) => sameText(row, detail))),
  );
  const own = (details: readonly Row[]): readonly Row[] =>
    details.filter((detail) => !shared.some((row) => sameText(row, detail)));
  return { shared, entries: entries.map((one) => ({ ...one, details: own(one.details) })) };
};

/**
 * The payments of a bulk payment or basket under a heading, with links to the other parts if there are several.
 * What all payments share is listed once. Those after the third are folded, unless the PSU has moved to another part.
 */
export const entriesInFull = (page: EntryPage, view: ListView, isOpen: boolean): Html => {
  const { review } = catalogues[view.language];
  const { shared, entries } = splitShared(page);
  const start = sum(page.sizes.slice(0, page.at)) + 1;
  const folded = entries.slice(inView);
  const [first, rest] = folded.length > 1 ? [entries.slice(0, inView), folded] : [entries, []];
  return html`<h2 id="${labelId}">${review.entries(sum(page.sizes))}</h2>
    ${shared.length === 0 ? undefined : rowList(shared)} ${partLinks(page, view)} ${list(first, start)}
    ${
      rest.length === 0
        ? undefined
        : html`<details${isOpen ? html` open` : undefined}>
            <summary>${review.rest(rest.length)}</summary>
            ${list(rest, start + inView)}
          </details>`
    }`;
};

const inBrief = (one: Entry): Entry => ({
  ...one,
  details: one.details.map((row) => (row.brief === undefined ? row : { ...row, value: row.brief })),
});

/**
 * The same list, folded because the PSU has seen it on the previous page; open if the PSU has moved to another part
 * of it.
 */
export const entriesFolded = (page: EntryPage, view: ListView, isOpen: boolean): Html => {
  const { shared, entries } = splitShared({ ...page, entries: page.entries.map(inBrief) });
  return html`<details${isOpen ? html` open` : undefined}>
    <summary id="${labelId}">${catalogues[view.language].review.entries(sum(page.sizes))}</summary>
    ${shared.length === 0 ? undefined : rowList(shared)} ${partLinks(page, view)}
    ${list(entries, sum(page.sizes.slice(0, page.at)) + 1)}
  </details>`;
};
