import { type Html, html } from '@xs2a/html/html';
import type { Row } from '../requests/authorisation-request.js';

export const rowList = (rows: readonly Row[]): Html =>
  html`<dl>
    ${rows.map(
      ({ label, value, isAmount }) =>
        html`<div>
          <dt>${label}</dt>
          <dd${isAmount === true ? html` class="amount"` : undefined}>${value}</dd>
        </div>`,
    )}
  </dl>`;
