import { html } from '@xs2a/html/html';
import { catalogues } from '../catalogue/catalogues.js';
import { faultAttributes, faultyField } from './fields.js';
import type { Page } from './page.js';
import { mainButton, stepForm, stepPage, type StepView } from './step-form.js';

/**
 * The sign-in page; without `view.asked` the PSU signs in to the PSU's own pages. After a failure the user name that
 * was typed is still in its field.
 */
export const signInPage = (view: StepView, typedName = ''): Page => {
  const { signIn } = catalogues[view.language];
  const isFaulty = faultyField(view.notice) !== undefined;
  const fields = html`<label for="psuId">${signIn.psuId}</label>
    <input
      id="psuId"
      name="psuId"
      type="text"
      value="${typedName}"
      autocomplete="username"
      autocapitalize="none"
      spellcheck="false"
      maxlength="64"
      required
      ${faultAttributes(isFaulty)}
    />
    <label for="password">${signIn.password}</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="current-password"
      maxlength="256"
      required
      ${faultAttributes(isFaulty, false)}
    />`;
  const lead = view.asked === undefined ? html`<p>${signIn.ownLead}</p>` : undefined;
  return stepPage(view, 'sign-in', {
    title: signIn.title,
    body: html`${lead} ${stepForm(view, 'sign-in', fields, mainButton(signIn.submit))}`,
  });
};
