import { type Html, html } from '@xs2a/html/html';

/** A command with a button that copies it. Without scripts, the button is not shown. */
export const copyable = (command: string): Html =>
  html`<code>${command}</code>
    <button type="button" class="copy">Copy<span class="hidden"> the command</span></button>`;
