import type { BankLook } from './bank-look.js';
import { type Language, languages, type Notice } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import { type Html, html } from '@xs2a/html/html';

export interface PageParts {
  readonly language: Language;
  readonly title: string;
  readonly body: Html;
  readonly notice?: Notice;
  /** The path of this page, for the links to the other languages; if it is absent, the page has no such links. */
  readonly path?: string;
  /** Links to the PSU's other pages. */
  readonly places?: Html;
}

/** A complete page except for the bank's look, which is added when the page is sent. */
export type Page = (look: BankLook) => Html;

const goodNews = new Set<Notice>(['unlocked', 'withdrawn']);

/** Renders a complete page that works without scripts, in one column, on screens from 360 px wide. */
export const page =
  ({ language, title, body, notice, path, places }: PageParts): Page =>
  ({ name, logo, styleHash }) =>
    html`<!doctype html>
      <html lang="${language}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>${title} – ${name[language]}</title>
          <link rel="stylesheet" href="/sca/style.css?v=${styleHash}" />
        </head>
        <body>
          <header>
            <p class="bank">
              <svg viewBox="0 0 24 24" aria-hidden="true"><path d="${logo}" /></svg> ${name[language]}
            </p>
            ${path === undefined ? undefined : languageLinks(language, path)} ${places}
          </header>
          <main>
            <h1>${title}</h1>
            ${notice === undefined ? undefined : noticeBox(language, notice)} ${body}
          </main>
        </body>
      </html> `;

const noticeBox = (language: Language, notice: Notice): Html => {
  const isGood = goodNews.has(notice);
  return html`<p class="notice${isGood ? ' good' : ''}" role="${isGood ? 'status' : 'alert'}">
    ${catalogues[language].notice[notice]}
  </p>`;
};

const languageLinks = (current: Language, path: string): Html =>
  html`<nav aria-label="${languages.map((language) => catalogues[language].languageName).join(' / ')}">
    ${languages.map((language) =>
      language === current
        ? html`<span lang="${language}" aria-current="true">${catalogues[language].languageName}</span>`
        : html`<a lang="${language}" hreflang="${language}" href="${path}?lang=${language}"
            >${catalogues[language].languageName}</a
          >`,
    )}
  </nav>`;

/**
 * The headers of a page. `formTargets` are the origins to which the response to a form may redirect. Browsers
 * apply `form-action` to redirects too, so the TPP's origin must be listed if the flow can end there.
 */
export const pageHeaders = (formTargets: readonly string[] = []): Readonly<Record<string, string>> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    `form-action ${["'self'", ...new Set(formTargets)].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
});

/** The origin of a URI as a CSP source; undefined if the URI has none. */
export const parseOrigin = (uri: string | undefined): string | undefined => {
  const url = uri === undefined ? null : URL.parse(uri);
  return url === null || url.origin === 'null' ? undefined : url.origin;
};
