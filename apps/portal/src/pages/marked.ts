import { type Html, html } from '@xs2a/html/html';

/** Returns a text as HTML: text in backticks becomes code, and `[words](address)` becomes a link within the portal. */
export const marked = (text: string): readonly Html[] =>
  text.split(/(`[^`]*`|\[[^\]]*\]\(\/[^)]*\))/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    const [, words, address] = /^\[([^\]]*)\]\((\/[^)]*)\)$/.exec(part) ?? [];
    return address === undefined ? html`${part}` : html`<a href="${address}">${words}</a>`;
  });
