import { type Html, html } from '@xs2a/html/html';
import { catalogues } from '../catalogue/catalogues.js';
import type { Row } from '../requests/authorisation-request.js';
import { faultAttributes, faultyField } from './fields.js';
import type { StepView } from './step-form.js';

/**
 * The result of the verification of the payees, shown below the payee on a review page. A warning is in a box, which
 * also has the checkbox with which the PSU confirms that they have read it.
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
