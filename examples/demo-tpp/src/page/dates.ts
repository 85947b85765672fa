import { locales } from '@xs2a/html/figures';
import { type Html, html } from '@xs2a/html/html';
import type { Language } from '../catalogue/catalogue.js';

/** Formats a day (`2027-01-31`) for a reader of that language; returns the text unchanged if it is not a day. */
export const dateFigure = (day: string, language: Language): Html => {
  const instant = Date.parse(`${day}T00:00:00Z`);
  const text = Number.isNaN(instant)
    ? day
    : new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeZone: 'UTC' }).format(instant);
  return html`<time datetime="${day}">${text}</time>`;
};

/** The name of a month, "1" to "12". */
export const monthName = (month: string, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], { month: 'long', timeZone: 'UTC' }).format(
    Date.UTC(2000, Number(month) - 1, 1),
  );
