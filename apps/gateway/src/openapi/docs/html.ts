const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML content and attributes. */
export const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

export const code = (text: string): string => `<code>${escape(text)}</code>`;

/** A table with a label, which scrolls within itself on narrow screens. The cells are HTML. */
export const table = (
  name: string,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string =>
  `<div class="table" tabindex="0" role="region" aria-label="${escape(name)}"><table><thead><tr>${headings
    .map((heading) => `<th scope="col">${heading}</th>`)
    .join('')}</tr></thead><tbody>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</tbody></table></div>`;

/** Preformatted text or JSON. */
export const block = (text: string): string => `<pre tabindex="0">${escape(text)}</pre>`;

/** A collapsed section; `inner` is HTML. */
export const fold = (summary: string, inner: string): string =>
  `<details><summary>${escape(summary)}</summary>${inner}</details>`;
