import { type Html, html } from '@xs2a/html/html';

/** Shapes from Lucide (ISC licence, https://lucide.dev/license), drawn in a 24 × 24 box. */
const shapes = {
  check: html`<path d="M20 6 9 17l-5-5" />`,
  x: html`<path d="M18 6 6 18M6 6l12 12" />`,
  lock: html`<rect width="18" height="11" x="3" y="11" rx="2" /><path d="M7 11V7a5 5 0 0 1 10 0v4" />`,
  clock: html`<circle cx="12" cy="12" r="10" /><path d="M12 6v6l4 2" />`,
  users: html`<path d="M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2" /><circle cx="9" cy="7" r="4" /><path
      d="M22 21v-2a4 4 0 0 0-3-3.87M16 3.13a4 4 0 0 1 0 7.75"
    />`,
  info: html`<circle cx="12" cy="12" r="10" /><path d="M12 16v-4M12 8h.01" />`,
  alert: html`<path
    d="m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01"
  />`,
  link: html`<path d="M9 17H7A5 5 0 0 1 7 7M15 7h2a5 5 0 0 1 4 8M8 12h4M2 2l20 20" />`,
} satisfies Record<string, Html>;

export type IconName = keyof typeof shapes;

/** An icon next to a text that says the same, so screen readers skip it. */
export const icon = (name: IconName): Html =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${shapes[name]}</svg>`;
