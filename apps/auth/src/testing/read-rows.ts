import { Html } from '@xs2a/html/html';
import type { Row } from '../sca/requests/authorisation-request.js';

/** Returns a value as displayed on the page. */
export const readValue = (value: Html | string): string =>
  (value instanceof Html ? value.text : value)
    .replaceAll(/<\/li>\s*<li>/g, '; ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('\u00a0', ' ')
    .trim();

/** Returns the labels and values as displayed on the page. */
export const readRows = (rows: readonly Row[]): Record<string, string> =>
  Object.fromEntries(rows.map(({ label, value }) => [label, readValue(value)]));
