import type { Profile } from '@xs2a/domain/profile/profile';
import { type Html, html } from '@xs2a/html/html';
import type { Language, Notice } from '../catalogue/catalogue.js';

/** The values with which the PSU's own page is rendered. */
export interface ListView {
  readonly language: Language;
  readonly path: string;
  readonly csrf: string;
  readonly version: number;
  readonly notice?: Notice;
  readonly timeZone: string;
  readonly profile: Pick<Profile, 'homeCurrency'>;
}

export const listForm = (view: ListView, body: Html): Html =>
  html`<form method="post" action="${view.path}">
    <input type="hidden" name="csrf" value="${view.csrf}" />
    <input type="hidden" name="step" value="list" />
    <input type="hidden" name="version" value="${String(view.version)}" />
    ${body}
  </form>`;

/** What a form of the PSU's own page does, and the texts around it. */
export interface Ask {
  readonly field: string;
  readonly value: string;
  readonly decision: string;
  /** The fold that asks once more, and what it says. */
  readonly open: string;
  readonly warning: string;
  readonly submit: string;
  /** Names the button for screen readers. */
  readonly label: string;
}

/** A fold that says what will happen and holds the form, so that nothing ends with one touch. */
export const askFold = (view: ListView, ask: Ask): Html =>
  html`<details class="ask">
    <summary>${ask.open}</summary>
    <p>${ask.warning}</p>
    ${listForm(
      view,
      html`<input type="hidden" name="${ask.field}" value="${ask.value}" />
        <button name="decision" value="${ask.decision}" aria-label="${ask.label}">${ask.submit}</button>`,
    )}
  </details>`;
