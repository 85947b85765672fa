import { type Html, html } from '@xs2a/html/html';

/** A moment as day and time in UTC, to the millisecond. */
export const timeOf = (at: Date | string): Html => {
  const text = new Date(at).toISOString();
  return html`<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 23)}</time>`;
};

/** A moment in a sentence, to the second: `2026-11-27 13:23:58 UTC`. */
export const momentIn = (at: Date | string): string =>
  `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
