import { type Html, html } from '@xs2a/html/html';
import type { Entry } from '../requests/authorisation-request.js';
import type { Language } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';

/** Id of the text that names the list. */
const labelId = 'entries-label';

const entry = ({ payee, account, amount, remittance, details }: Entry): Html =>
  html`<li>
    <p class="pair"><strong>${payee}</strong> ${amount}</p>
    ${account}
    <small>${remittance}</small>
    ${details.map(({ label, value }) => html`<small>${label}: ${value}</small>`)}
  </li>`;

/** The list in a region of its own that scrolls, so that the buttons below 250 payments stay near; the keyboard reaches it. */
const region = (entries: readonly Entry[]): Html =>
  html`<div class="scroll" role="region" aria-labelledby="${labelId}" tabindex="0">
    <ol class="payments">
      ${entries.map(entry)}
    </ol>
  </div>`;

/** All payments of a bulk payment, under a heading. */
export const entriesInFull = (entries: readonly Entry[], language: Language): Html =>
  html`<h2 id="${labelId}">${catalogues[language].review.entries(entries.length)}</h2>
    ${region(entries)}`;

/** The same folded away, for who has seen them on the page before. */
export const entriesFolded = (entries: readonly Entry[], language: Language): Html =>
  html`<details>
    <summary id="${labelId}">${catalogues[language].review.entries(entries.length)}</summary>
    ${region(entries)}
  </details>`;
