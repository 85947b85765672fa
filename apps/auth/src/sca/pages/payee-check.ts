import { type Html, html } from '@xs2a/html/html';
import { catalogues } from '../catalogue/catalogues.js';
import type { Row } from '../requests/authorisation-request.js';
import { faultAttributes, faultyField } from './fields.js';
import type { StepView } from './step-form.js';

/**
 * The result of the verification of the payees, which follows the payee on a review. A warning is in a box with the
 * field that confirms that it was read.
 */
export const payeeCheck = (rows: readonly Row[], view: StepView, hasWarning: boolean): Html => {
  const results = rows.filter(({ place }) => place === 'payeeCheck').map(({ value }) => value);
  return hasWarning ? html`<div class="warning">${results} ${warningRead(view)}</div>` : html`${results}`;
};

const warningRead = ({ language, notice }: StepView): Html =>
  html`<label class="choice">
    <input
      type="checkbox"
      id="payeeWarningRead"
      name="payeeWarningRead"
      value="yes"
      ${faultAttributes(faultyField(notice) === 'payeeWarningRead')}
    />
    <span>${catalogues[language].payees.read}</span>
  </label>`;
