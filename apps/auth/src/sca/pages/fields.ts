import { type Html, html } from '@xs2a/html/html';
import type { Language, Notice } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';

/** The field that an error of the last form is about. */
const faultyFields: Partial<Record<Notice, string>> = {
  'sign-in-failed': 'psuId',
  'sign-in-empty': 'psuId',
  'no-accounts': 'accounts',
  'payee-warning-unread': 'payeeWarningRead',
  'code-wrong': 'otp',
};

/** The id of the error's text, which describes the field to screen readers. */
const errorId = 'error';

export const faultyField = (notice: Notice | undefined): string | undefined =>
  notice === undefined ? undefined : faultyFields[notice];

/** The summary of an error above the form, with a link to the field. */
export const errorSummary = (field: string, text: string, language: Language): Html =>
  html`<div class="notice" role="alert">
    <b>${catalogues[language].problem}</b>
    <a href="#${field}" id="${errorId}">${text}</a>
  </div>`;

/** The attributes of a field that the last form got wrong. The first such field of a page takes the focus. */
export const faultAttributes = (isFaulty: boolean, isFirst = true): Html | undefined =>
  isFaulty
    ? html` aria-invalid="true" aria-describedby="${errorId}"${isFirst ? html` autofocus` : undefined}`
    : undefined;
