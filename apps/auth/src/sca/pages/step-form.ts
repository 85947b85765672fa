import { type Html, html } from '@xs2a/html/html';
import type { Language, Notice } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import { errorSummary, faultyField } from './fields.js';
import { progressBar, unbrokenPhone } from './look/frame.js';
import { type Page, page } from './page.js';
import { type Asker, whoBox } from './look/who-box.js';

/** What the pages of a flow say about the request as a whole. */
interface Asked extends Asker {
  /** True if the browser returns to the TPP at the end. */
  readonly hasWayBack: boolean;
  /** True if another signer has signed. */
  readonly isCosigned?: boolean;
  /** True if the PSU chooses accounts, which is a step of its own. */
  readonly picksAccounts: boolean;
  /** The whole minutes until the request expires; absent if that is far away. */
  readonly minutesLeft?: number;
}

/** The values with which every page of a flow is rendered. */
export interface StepView {
  readonly language: Language;
  /** The path to which the form is sent and to which the language links lead. */
  readonly path: string;
  readonly csrf: string;
  /** The version of the session state that the page shows. */
  readonly version: number;
  readonly notice?: Notice;
  /** The text of the notice, if it says more than the catalogue's. */
  readonly noticeText?: string;
  /** The request that the PSU decides on; absent on the PSU's own pages. */
  readonly asked?: Asked;
}

/** A view of a page that asks for an approval. */
export type AskedView = StepView & Required<Pick<StepView, 'asked'>>;

const steps = ['sign-in', 'accounts', 'review', 'code'] as const;
type FormStep = (typeof steps)[number];

/**
 * The form of one step, with the session token and the step in hidden fields and the buttons below. Every page of
 * a flow has buttons to refuse and to cancel, which require no input; a form that asks for no approval has neither.
 * The server reports missing input in the page's language, except on the code step, where every form
 * counts: there the browser holds back an empty one.
 */
export const stepForm = (view: StepView, step: FormStep, fields: Html, buttons: Html): Html =>
  html`<form method="post" action="${view.path}" ${step === 'code' ? undefined : html` novalidate`}>
    <input type="hidden" name="csrf" value="${view.csrf}" />
    <input type="hidden" name="step" value="${step}" />
    ${step === 'sign-in' ? undefined : versionField(view)}
    <div>${fields}</div>
    <div class="actions">
      ${buttons} ${view.asked && html`${refuseButton(view, view.asked)} ${cancelButton(view, view.asked)}`}
    </div>
  </form>`;

/** Omitted on the sign-in page: its form may be sent again, and the page looks the same whatever the error was. */
const versionField = ({ version }: StepView): Html =>
  html`<input type="hidden" name="version" value="${String(version)}" />`;

export const mainButton = (text: Html | string): Html =>
  html`<button class="main" name="decision" value="approve">${text}</button>`;

const refuseButton = ({ language }: StepView, { kind, isCosigned = false }: Asked): Html => {
  const { refuse, refuseCosigned } = catalogues[language];
  return html`<button class="link" name="decision" value="refuse" formnovalidate>
    ${isCosigned ? refuseCosigned : refuse[kind]}
  </button>`;
};

const cancelButton = ({ language }: StepView, { tppName, hasWayBack }: Asked): Html => {
  const { cancelHere, cancelTo } = catalogues[language];
  const text = hasWayBack ? cancelTo(tppName) : cancelHere;
  return html`<button class="link" name="decision" value="cancel" formnovalidate>${text}</button>`;
};

/** The page of one step: the progress, who asks, the title, an error or notice of the last form, and the form. */
export const stepPage = (
  view: StepView,
  step: FormStep,
  parts: { readonly title: string; readonly body: Html; readonly hidesAsker?: boolean },
): Page => {
  const { language, asked, notice } = view;
  const shown = steps.filter((one) => one !== 'accounts' || asked?.picksAccounts === true);
  const progress = asked && {
    at: shown.indexOf(step) + 1,
    of: shown.length,
    minutesLeft: asked.minutesLeft,
  };
  const field = faultyField(notice);
  const summary = (phone: string): Html | undefined =>
    field === undefined || notice === undefined
      ? undefined
      : errorSummary(
          field,
          view.noticeText ?? catalogues[language].notice[notice](unbrokenPhone(phone)),
          language,
        );
  return page({
    language,
    path: view.path,
    title: parts.title,
    notice: field === undefined ? notice : undefined,
    isError: field !== undefined,
    above: html`${progress && progressBar(progress, language)}
    ${asked && parts.hidesAsker !== true ? whoBox(asked, language) : undefined}`,
    body: ({ phone }) => html`${summary(phone)} ${parts.body}`,
  });
};
