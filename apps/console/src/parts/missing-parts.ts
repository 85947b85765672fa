import { type Html, html } from '@xs2a/html/html';
import type { Part } from './parts.js';

/** Says which parts of a page are missing because a service did not answer; nothing if none are. */
export const missingNotice = (parts: Readonly<Record<string, Part<unknown>>>): Html | undefined => {
  const missing = Object.entries(parts).flatMap(([shown, part]) =>
    part.missing === undefined ? [] : [`${part.missing} did not answer: this page does not show ${shown}.`],
  );
  if (missing.length === 0) return undefined;
  return html`<p class="card is-problem" role="status">${missing.join(' ')}</p>`;
};
