import { type Html, html } from '@xs2a/html/html';

/** A moment as day and time in UTC, to the second. */
export const time = (at: Date): Html => {
  const text = at.toISOString();
  return html`<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 19)}</time>`;
};
