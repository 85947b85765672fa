import { type Html, html } from '@xs2a/html/html';
import { icon, type IconName } from './icons.js';

/** How a page ended for the PSU; shape, colour and icon differ, so that nobody has to see the colour. */
export type Tone = 'good' | 'bad' | 'wait' | 'locked' | 'plain';

/** The sign, title and first sentence of a page that ends something. */
export const hero = (tone: Tone, name: IconName, title: string, text: string): Html =>
  html`<div class="hero ${tone}">
    <span class="sign">${icon(name)}</span>
    <h1>${title}</h1>
    <p>${text}</p>
  </div>`;
