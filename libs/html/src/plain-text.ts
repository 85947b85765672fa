import type { Html } from './html.js';

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** Returns the text that a browser displays for HTML made by `html`: one line for each paragraph and list item. */
export const plainText = ({ text }: Html): string =>
  text
    .replaceAll(/[ \t\r\n]+/g, ' ')
    .split(/<\/(?:p|li)>/)
    .map((line) => line.replaceAll(/<[^>]*>/g, '').trim())
    .filter((line) => line !== '')
    .join('\n')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? '');
