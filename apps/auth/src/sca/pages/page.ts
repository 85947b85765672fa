import { type Html, html } from '@xs2a/html/html';
import type { Language, Notice } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import { type BankLook, lookPath } from './look/bank-look.js';
import { pageFooter, pageHeader, unbrokenPhone } from './look/frame.js';

export interface PageParts {
  readonly language: Language;
  readonly title: string;
  readonly body: Html;
  readonly notice?: Notice;
  /** The path of this page, for the link to the other language; if it is absent, the page has no such link. */
  readonly path?: string;
  /** What stands above the title: the progress and who asks, or the links to the PSU's other pages. */
  readonly above?: Html;
  /** True if the page shows an error of the last form, which its title then names first. */
  readonly isError?: boolean;
  /** True if the title is part of the body. */
  readonly isTitled?: boolean;
}

/** A complete page except for the bank's look, which is added when the page is sent. */
export type Page = (look: BankLook) => Html;
/** A part of a page that depends on the bank's look. */
export type Part = Html | ((look: BankLook) => Html);

const goodNews = new Set<Notice>(['unlocked', 'withdrawn', 'order-stopped', 'code-sent', 'code-in-sandbox']);

/** Renders a complete page that works without scripts, in one column, on screens from 320 px wide. */
export const page =
  ({
    language,
    title,
    body,
    notice,
    path,
    above,
    isError,
    isTitled,
  }: Omit<PageParts, 'body'> & { readonly body: Part }): Page =>
  (look) => {
    const heading = isError === true ? `${catalogues[language].error}: ${title}` : title;
    return html`<!doctype html>
      <html lang="${language}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>${heading} – ${look.name[language]}</title>
          <link rel="stylesheet" href="${lookPath(look, 'style.css')}" />
          <link rel="icon" href="${lookPath(look, 'favicon')}" />
        </head>
        <body>
          ${pageHeader(look, language, path)}
          <main>
            ${above} ${isTitled === true ? undefined : html`<h1>${title}</h1>`}
            ${notice === undefined ? undefined : noticeBox(language, notice, look)}
            ${typeof body === 'function' ? body(look) : body}
          </main>
          ${pageFooter(look, language)}
        </body>
      </html> `;
  };

const noticeBox = (language: Language, notice: Notice, { phone }: BankLook): Html => {
  const isGood = goodNews.has(notice);
  return html`<p class="notice${isGood ? ' good' : ''}" role="${isGood ? 'status' : 'alert'}">
    ${catalogues[language].notice[notice](unbrokenPhone(phone))}
  </p>`;
};

/**
 * The headers of a page. `formTargets` are the origins to which the response to a form may redirect. Browsers
 * apply `form-action` to redirects too, so the TPP's origin must be listed if the flow can end there.
 */
export const pageHeaders = (formTargets: readonly string[] = []): Readonly<Record<string, string>> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
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

/** The headers of the stylesheet and the pictures. A picture that is opened on its own cannot run anything. */
export const fileHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'X-Content-Type-Options': 'nosniff',
};

/** The origin of a URI as a CSP source; undefined if the URI has none. */
export const parseOrigin = (uri: string | undefined): string | undefined => {
  const url = uri === undefined ? null : URL.parse(uri);
  return url === null || url.origin === 'null' ? undefined : url.origin;
};
