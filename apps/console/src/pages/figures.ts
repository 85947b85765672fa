import { type Html, html } from '@xs2a/html/html';

/** One figure of a list of class `figures`: its name, its value, and what it means. */
export const figure = (name: string, value: string, note: string): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd><b>${value}</b> <span class="quiet">${note}</span></dd>
  </div>`;
