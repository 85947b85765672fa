import { type Html, html } from '@xs2a/html/html';

/** A block of code, which can be scrolled with the keyboard. `label`: its language, or what it is; `tab`: the radio button that shows it. */
export const codeBlock = (label: string, code: string, tab?: string): Html =>
  html`<div class="code${tab === undefined ? '' : ` of-${tab}`}">
    <p>${label}</p>
    <pre tabindex="0"><code>${code}</code></pre>
  </div>`;
