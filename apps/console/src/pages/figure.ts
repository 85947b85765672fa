import { type Html, html } from '@xs2a/html/html';

/** A number with its name, for a list of the class `figures`. */
export const figure = (name: string, value: string, note: string): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd><b>${value}</b> <span class="quiet">${note}</span></dd>
  </div>`;
