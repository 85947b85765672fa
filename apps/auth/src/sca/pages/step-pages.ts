import type { PsuAccount } from '@xs2a/contracts/accounts.contract';
import type { EntryPage, Row } from '../requests/authorisation-request.js';
import type { AuthorisationKind, Language, Notice } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import { accountFigure } from './figures.js';
import { type Html, html } from '@xs2a/html/html';
import { type Page, page } from './page.js';
import { entriesFolded, entriesInFull } from './entry-list.js';
import { rowList } from './row-list.js';

/** The values with which every page of a flow is rendered. */
export interface StepView {
  readonly language: Language;
  /** The path to which the form is sent and to which the language links lead. */
  readonly path: string;
  readonly csrf: string;
  /** The version of the session state that the page shows. */
  readonly version: number;
  readonly notice?: Notice;
}

/**
 * The form of one step, with the session token and the step in hidden fields and the buttons below. Every page of
 * a flow has buttons to refuse and to cancel, which require no input; a form that asks for no approval can only be
 * cancelled.
 */
const form = (view: StepView, step: string, fields: Html, main: Html, refusable = true): Html =>
  html`<form method="post" action="${view.path}">
    <input type="hidden" name="csrf" value="${view.csrf}" />
    <input type="hidden" name="step" value="${step}" />
    ${step === 'sign-in' ? undefined : versionField(view)} ${fields}
    <div class="actions">
      ${main} ${refusable ? refuseButton(view) : undefined}
      <button name="decision" value="cancel" formnovalidate>${catalogues[view.language].cancel}</button>
    </div>
  </form>`;

/** Omitted on the sign-in page: its form may be sent again, and the page looks the same whatever the error was. */
const versionField = ({ version }: StepView): Html =>
  html`<input type="hidden" name="version" value="${String(version)}" />`;

const mainButton = (text: string): Html =>
  html`<button class="main" name="decision" value="approve">${text}</button>`;

const refuseButton = ({ language }: StepView): Html =>
  html`<button name="decision" value="refuse" formnovalidate>${catalogues[language].review.refuse}</button>`;

const drawn = (view: StepView, title: string, body: Html): Page => page({ ...view, title, body });

/** The sign-in page. Without `tppName`, the PSU signs in to the PSU's own pages. */
export const signInPage = (view: StepView, tppName?: string): Page => {
  const { signIn } = catalogues[view.language];
  const fields = html`<label for="psuId">${signIn.psuId}</label>
    <input
      id="psuId"
      name="psuId"
      type="text"
      autocomplete="username"
      autocapitalize="none"
      spellcheck="false"
      maxlength="64"
      required
    />
    <label for="password">${signIn.password}</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="current-password"
      maxlength="256"
      required
    />`;
  const lead = tppName === undefined ? signIn.ownLead : signIn.lead(tppName);
  return drawn(
    view,
    signIn.title,
    html`<p>${lead}</p>
      ${form(view, 'sign-in', fields, mainButton(signIn.submit), tppName !== undefined)}`,
  );
};

export const accountsPage = (view: StepView, tppName: string, accounts: readonly PsuAccount[]): Page => {
  const { accounts: texts } = catalogues[view.language];
  const fields =
    accounts.length === 0
      ? html`<p>${texts.none}</p>`
      : html`<fieldset>
          <legend>${texts.legend}</legend>
          ${accounts.map(
            (account) =>
              html`<label class="choice">
                <input type="checkbox" name="accounts" value="${account.iban}" />
                <span
                  >${accountFigure(account.iban)} ${account.currency}<br /><span class="quiet"
                    >${account.product}${account.main ? `, ${texts.main}` : ''}</span
                  ></span
                >
              </label>`,
          )}
        </fieldset>`;
  const buttons = accounts.length === 0 ? html`` : mainButton(texts.submit);
  return drawn(
    view,
    texts.title,
    html`<p>${texts.lead(tppName)}</p>
      ${form(view, 'accounts', fields, buttons)}`,
  );
};

/** The content that the PSU reviews and signs: its rows, and one page of the payments of a bulk payment or basket. */
export interface Reviewed {
  readonly rows: readonly Row[];
  readonly entries?: EntryPage;
  /** True if the PSU requested this page of the payments. */
  readonly isPageChosen?: boolean;
}

export const reviewPage = (
  view: StepView,
  kind: AuthorisationKind,
  tppName: string,
  { rows, entries }: Reviewed,
): Page => {
  const { review } = catalogues[view.language];
  const { title, lead } = review.of[kind];
  const fields = html`${rowList(rows)} ${entries && entriesInFull(entries, view)}
    <p class="quiet">${review.hint}</p>`;
  return drawn(
    view,
    title,
    html`<p>${lead(tppName)}</p>
      ${form(view, 'review', fields, mainButton(review.approve))}`,
  );
};

/**
 * The page on which the PSU enters the one-time code. It repeats the content to which the code is bound (dynamic
 * linking).
 */
export const codePage = (
  view: StepView,
  { rows, entries, isPageChosen = false }: Reviewed,
  isSandbox: boolean,
): Page => {
  const { code } = catalogues[view.language];
  const signed = rows.filter(({ isSigned }) => isSigned === true);
  const fields = html`${rowList(signed.length === 0 ? rows : signed)}
    ${entries && entriesFolded(entries, view, isPageChosen)}
    ${isSandbox ? html`<p class="quiet">${code.sandbox}</p>` : undefined}
    <label for="otp">${code.label}</label>
    <input
      class="code"
      id="otp"
      name="otp"
      type="text"
      inputmode="numeric"
      pattern="[0-9]{6}"
      maxlength="6"
      autocomplete="one-time-code"
      required
    />`;
  return drawn(
    view,
    code.title,
    html`<p>${code.lead}</p>
      ${form(view, 'code', fields, mainButton(code.submit))}`,
  );
};
