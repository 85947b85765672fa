import type { AuthorisationKind, ClosedReason, Language, Subject } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import { html } from '@xs2a/html/html';
import { type Page, page } from './page.js';
import type { PageState } from '../page-sessions.js';

type Ended = NonNullable<PageState['result']>;

const subjects: Readonly<Record<AuthorisationKind, Subject>> = {
  payment: 'payment',
  order: 'order',
  bulk: 'bulk',
  basket: 'basket',
  consent: 'access',
  renewal: 'access',
  funds: 'access',
};

/** The page that shows the outcome if there is no TPP to which the browser can return. */
export const resultPage = (language: Language, { kind, tppName, outcome }: Ended, path: string): Page => {
  const { result } = catalogues[language];
  const close = html`<p class="quiet">${result.close}</p>`;
  const subject = subjects[kind];
  if (outcome.kind === 'failed') {
    const body = html`<p>${result.failed[subject]} ${result.reason[outcome.reason]}</p>
      ${close}`;
    return page({ language, path, title: result.failedTitle, body });
  }
  if (outcome.kind === 'unchanged') {
    const body = html`<p>${result.unchanged[outcome.reason](result.subject[subject])}</p>
      ${close}`;
    return page({ language, path, title: result.unchangedTitle, body });
  }
  if (outcome.kind === 'partly')
    return page({
      language,
      path,
      title: result.partlyTitle,
      body: html`<p>${result.partly[subject]} ${result.missing(outcome.missing)}</p>
        ${close}`,
    });
  const { title, text } = result.authorised[subject];
  return page({
    language,
    path,
    title,
    body: html`<p>${text(tppName)}</p>
      ${close}`,
  });
};

export const closedPage = (language: Language, reason: ClosedReason, path: string): Page => {
  const { title, text } = catalogues[language].closed[reason];
  return page({ language, path, title, body: html`<p>${text}</p>` });
};

/** A page that contains only a message; `again` is the address that shows the PSU's current step. */
export const plainPage = (
  language: Language,
  name: 'unavailable' | 'unsure' | 'busy' | 'forbidden' | 'notFound',
  again?: string,
): Page => {
  const { title, text } = catalogues[language][name];
  const link =
    again === undefined ? undefined : html`<p><a href="${again}">${catalogues[language].openAgain}</a></p>`;
  return page({
    language,
    title,
    body: html`<p>${text}</p>
      ${link}`,
  });
};

/** The page for an authorization request that cannot be answered with a redirect. `code` is an RFC 6749 error code. */
export const oauthErrorPage = (language: Language, code: string): Page => {
  const { title, text, code: label } = catalogues[language].oauthError;
  return page({
    language,
    title,
    body: html`<p>${text}</p>
      <p class="quiet">${label}: ${code}</p>`,
  });
};
