import { type Html, html } from '@xs2a/html/html';
import { page } from '../pages/layout.js';
import type { Hit } from './search-index.js';

const hitShown = ({ id, place, title, excerpt: [before, word, after] }: Hit): Html =>
  html`<li>
    <p>
      <a href="${id}"><b>${title}</b></a> <span class="quiet">${place}</span>
    </p>
    <p>${before}${word === '' ? undefined : html`<mark>${word}</mark>`}${after}</p>
  </li>`;

const found = (query: string, hits: readonly Hit[]): Html => {
  if (query === '') return html`<p>Search in guides, reference and errors.</p>`;
  if (hits.length > 0)
    return html`<ul class="rows">
      ${hits.map(hitShown)}
    </ul>`;
  return html`<p>
    Nothing fits “${query}”. Try the <a href="/reference">reference</a> or the
    <a href="/errors">error codes</a>.
  </p>`;
};

/** The results of a search. */
export const searchPage = (query: string, hits: readonly Hit[]): Html =>
  page({
    path: '/search',
    title: 'Search',
    query,
    body: html`<h1>Search</h1>
      ${found(query, hits)}`,
  });
