import type { PsuAccount } from '@xs2a/contracts/accounts.contract';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { AccountNames, EntryPage, Row } from '../requests/authorisation-request.js';
import { catalogues } from '../catalogue/catalogues.js';
import { type Html, html } from '@xs2a/html/html';
import { entriesFolded, entriesInFull } from './entry-list.js';
import { faultAttributes, faultyField } from './fields.js';
import { accountFigure, amountFigure } from './figures.js';
import type { Page } from './page.js';
import { payeeCheck } from './payee-check.js';
import { amountRows, headline, listRows, moreRows, rowsWithPermissions } from './review-parts.js';
import { rowList } from './row-list.js';
import { type AskedView, mainButton, stepForm, stepPage } from './step-form.js';

/**
 * `names` are those of the PSU's accounts, with what each can pay; without one, an account is shown by its product and
 * currency.
 */
export const accountsPage = (
  view: AskedView,
  accounts: readonly PsuAccount[],
  { names, profile }: { readonly names: AccountNames; readonly profile: Pick<Profile, 'homeCurrency'> },
): Page => {
  const { accounts: texts, value } = catalogues[view.language];
  const figures = { language: view.language, profile };
  const balance = ({ iban, currency }: PsuAccount): Html | string => {
    const available = names.get(iban)?.available;
    return available === undefined ? currency : html`${value.available} ${amountFigure(available, figures)}`;
  };
  const isFaulty = view.notice === 'no-accounts';
  const fields =
    accounts.length === 0
      ? html`<p>${texts.none}</p>`
      : html`<fieldset id="accounts" ${isFaulty ? html` aria-describedby="error"` : undefined}>
          <legend>${texts.legend}</legend>
          ${accounts.map(
            (account, index) =>
              html`<label class="choice">
                <input
                  type="checkbox"
                  name="accounts"
                  value="${account.iban}"
                  ${index === 0 ? faultAttributes(isFaulty) : undefined}
                />
                <span
                  ><b>${names.get(account.iban)?.name ?? account.product}</b
                  >${account.main ? ` · ${texts.main}` : ''}<small>${accountFigure(account.iban)}</small
                  ><small>${balance(account)}</small></span
                >
              </label>`,
          )}
        </fieldset>`;
  const buttons = accounts.length === 0 ? html`` : mainButton(texts.submit);
  return stepPage(view, 'accounts', {
    title: texts.title,
    body: html`<p>${texts.lead(view.asked.tppName)}</p>
      ${stepForm(view, 'accounts', fields, buttons)}`,
  });
};

/** The content that the PSU reviews and signs: its rows, and one page of the payments of a bulk payment or basket. */
export interface Reviewed {
  readonly rows: readonly Row[];
  readonly entries?: EntryPage;
  /** True if the PSU requested this page of the payments. */
  readonly isPageChosen?: boolean;
  /** True if the PSU must confirm that a warning about a payee was read. */
  readonly hasPayeeWarning?: boolean;
}

/** The text of the button that approves; it repeats a single amount. */
const approveText = ({ language, asked }: AskedView, rows: readonly Row[]): Html => {
  const amounts = amountRows(rows);
  const isOneSum = asked.kind === 'payment' || asked.kind === 'bulk';
  const [amount] = isOneSum && amounts.length === 1 ? amounts : [];
  return html`${catalogues[language].review.of[asked.kind].approve} ${amount?.value}`;
};

export const reviewPage = (
  view: AskedView,
  { rows: all, entries, isPageChosen = false, hasPayeeWarning = false }: Reviewed,
): Page => {
  const rows = all.filter(({ isBrief }) => isBrief !== true);
  const { review, payees } = catalogues[view.language];
  const { title, note, untilCode } = review.of[view.asked.kind];
  const more = moreRows(rows);
  const fields = html`${headline(rows, view.language)} ${payeeCheck(rows, view, hasPayeeWarning)}
  ${rowsWithPermissions(rows)} ${entries && entriesInFull(entries, view, isPageChosen)}
  ${
    more.length === 0
      ? undefined
      : html`<details class="more">
          <summary>${review.more}</summary>
          ${rowList(more)}
        </details>`
  }
  ${note === undefined ? undefined : html`<p class="quiet">${note}</p>`}`;
  return stepPage(view, 'review', {
    title,
    body: stepForm(
      view,
      'review',
      fields,
      html`${mainButton(hasPayeeWarning ? payees.approve : approveText(view, rows))}
        <p class="quiet centre">${untilCode}</p>`,
    ),
  });
};

/** Where and, if known, when the code was sent; the time is in the bank's time zone. */
export interface SentCode {
  readonly sentTo?: string;
  readonly time?: string;
}

/**
 * The page on which the PSU enters the one-time code. In a sandbox, which sends no codes, `sent` is undefined. The page
 * repeats the content to which the code is bound (dynamic
 * linking).
 */
export const codePage = (
  view: AskedView,
  { rows, entries, isPageChosen = false }: Reviewed,
  sent: SentCode | undefined,
): Page => {
  const { code } = catalogues[view.language];
  const signed = rows.filter(({ isSigned, isBrief }) => isSigned === true || isBrief === true);
  const shown = signed.length === 0 ? rows : signed;
  const listed = [...listRows(shown), ...moreRows(shown)];
  const isFaulty = faultyField(view.notice) !== undefined;
  const fields = html`${headline(shown, view.language)} ${rowList(listed)}
    ${entries && entriesFolded(entries, view, isPageChosen)}
    <div${isFaulty ? html` class="faulty"` : undefined}>
      <label for="otp">${code.label}</label>
      <input
        class="code"
        id="otp"
        name="otp"
        type="text"
        inputmode="numeric"
        maxlength="12"
        autocomplete="one-time-code"
        required
        ${faultAttributes(isFaulty)}
      />
    </div>`;
  const resend = html`<button class="link" name="decision" value="resend" formnovalidate>
    ${code.resend}
  </button>`;
  return stepPage(view, 'code', {
    title: code.title,
    hidesAsker: true,
    body: html`<p>${sent === undefined ? code.sandbox : code.sent(sent.sentTo, sent.time)}</p>
      ${stepForm(view, 'code', fields, html`${mainButton(code.submit[view.asked.kind])} ${resend}`)}`,
  });
};
