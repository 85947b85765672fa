import type { ClosedReason, Language } from './catalogue/catalogue.js';
import { catalogues } from './catalogue/catalogues.js';
import { html } from '@xs2a/html/html';
import { type Page, page } from './page.js';
import type { PageState } from './page-sessions.js';

type Ended = NonNullable<PageState['result']>;

/** The page with the outcome, when the browser has no TPP to return to. */
export const resultPage = (language: Language, { kind, tppName, outcome }: Ended, path: string): Page => {
  const { result } = catalogues[language];
  const close = html`<p class="quiet">${result.close}</p>`;
  const isPayment = kind === 'payment';
  if (outcome.kind === 'failed') {
    const body = html`<p>
        ${isPayment ? result.failedPayment : result.failedConsent} ${result.reason[outcome.reason]}
      </p>
      ${close}`;
    return page({ language, path, title: result.failedTitle, body });
  }
  if (outcome.kind === 'unchanged') {
    const body = html`<p>${result.unchanged[outcome.reason]}</p>
      ${close}`;
    return page({ language, path, title: result.unchangedTitle, body });
  }
  if (outcome.kind === 'partly')
    return page({
      language,
      path,
      title: result.partlyTitle,
      body: html`<p>
          ${isPayment ? result.partlyPayment : result.partlyConsent} ${result.missing(outcome.missing)}
        </p>
        ${close}`,
    });
  return page({
    language,
    path,
    title: isPayment ? result.paymentTitle : result.consentTitle,
    body: html`<p>${isPayment ? result.paymentText : result.consentText(tppName)}</p>
      ${close}`,
  });
};

export const closedPage = (language: Language, reason: ClosedReason, path: string): Page => {
  const { title, text } = catalogues[language].closed[reason];
  return page({ language, path, title, body: html`<p>${text}</p>` });
};

/** A page that only says something; `again` is where to start anew. */
export const plainPage = (
  language: Language,
  name: 'unavailable' | 'busy' | 'forbidden' | 'notFound',
  again?: string,
): Page => {
  const { title, text } = catalogues[language][name];
  const link =
    again === undefined ? undefined : html`<p><a href="${again}">${catalogues[language].startAgain}</a></p>`;
  return page({
    language,
    title,
    body: html`<p>${text}</p>
      ${link}`,
  });
};

/** An authorization request that cannot be answered by a redirect. `code` is the error of RFC 6749. */
export const oauthErrorPage = (language: Language, code: string): Page => {
  const { title, text, code: label } = catalogues[language].oauthError;
  return page({
    language,
    title,
    body: html`<p>${text}</p>
      <p class="quiet">${label}: ${code}</p>`,
  });
};
