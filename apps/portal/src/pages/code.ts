import { type Html, html } from '@xs2a/html/html';

/** A block of code, which can be scrolled with the keyboard. `label`: its language, or what it is. */
export const codeBlock = (label: string, code: string): Html =>
  html`<div class="code">
    <p>${label}</p>
    <pre tabindex="0"><code>${code}</code></pre>
  </div>`;
