import { consentStatusMeanings, transactionStatusMeanings } from '@xs2a/domain/status-meanings';
import { type Html, html } from '@xs2a/html/html';
import { levelOf } from './levels.js';

interface Meaning {
  readonly word: string;
  readonly text: string;
}
const meanings: Readonly<Record<string, Meaning>> = {
  ...transactionStatusMeanings,
  ...consentStatusMeanings,
};

/** The status of a payment, a signing basket or a consent, with its meaning in a word or two. */
export const statusPill = (status: string): Html => {
  const meaning = Object.hasOwn(meanings, status) ? meanings[status] : undefined;
  const isWord = meaning === undefined || meaning.word === status;
  return html`<span class="pill ${levelOf(status)}" title="${meaning?.text}">${status}</span>${
      isWord ? undefined : html` <span class="quiet">${meaning.word}</span>`
    }`;
};

/** The meanings of all statuses that a page may show; folded. */
export const statusLegend = (kind: 'payments' | 'consents'): Html => {
  const shown = Object.entries(kind === 'payments' ? transactionStatusMeanings : consentStatusMeanings);
  return html`<details class="card">
    <summary>What the statuses mean</summary>
    <dl class="pairs">
      ${shown.map(
        ([status, { word, text }]) =>
          html`<dt>${status}${word === status ? '' : ` ${word}`}</dt>
            <dd>${text}.</dd>`,
      )}
    </dl>
  </details>`;
};
