import { type Html, html } from '@xs2a/html/html';
import { type Language, languages, type Notice } from '../catalogue/catalogue.js';
import { catalogues } from '../catalogue/catalogues.js';
import { liveScriptHash } from '../status/live-script.js';
import { styleHash } from './style.js';

/** The values that every page needs. */
export interface View {
  readonly language: Language;
  readonly csrf: string;
  readonly path: string;
  readonly notice?: Notice;
}

const goodNews = new Set<Notice>([
  'connected',
  'disconnected',
  'funds-allowed',
  'cancelled',
  'laid-aside',
  'dissolved',
]);

/** A complete page. `events`: the address of its change events; without it the page has no script. */
export const page = (view: View, title: string, body: Html, events?: string): Html => {
  const texts = catalogues[view.language];
  const { notice } = view;
  const isGood = notice !== undefined && goodNews.has(notice);
  return html`<!doctype html>
    <html lang="${view.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – Sandbox TPP</title>
        <link rel="stylesheet" href="/style.css?v=${styleHash}" />
        ${events === undefined ? undefined : html`<script src="/live.js?v=${liveScriptHash}" defer></script>`}
      </head>
      <body>
        <header>
          <p class="brand">Sandbox TPP</p>
          ${languageLinks(view)} ${placeLinks(view)}
        </header>
        <main${events === undefined ? undefined : html` data-events="${events}"`}>
          <h1>${title}</h1>
          ${
            notice === undefined
              ? undefined
              : html`<p class="notice${isGood ? ' good' : ''}" role="${isGood ? 'status' : 'alert'}">
                  ${texts.notice[notice]}
                </p>`
          }
          ${body}
        </main>
      </body>
    </html> `;
};

const languageLinks = ({ language, path }: View): Html =>
  html`<nav aria-label="${catalogues[language].languages}">
    ${languages.map((one) =>
      one === language
        ? html`<span lang="${one}" aria-current="true">${catalogues[one].languageName}</span>`
        : html`<a lang="${one}" hreflang="${one}" href="${path}?lang=${one}"
            >${catalogues[one].languageName}</a
          >`,
    )}
  </nav>`;

const placeLinks = ({ language, path }: View): Html => {
  const texts = catalogues[language];
  const places = [
    { to: '/', title: texts.home.connectTitle },
    { to: '/accounts', title: texts.accounts.title },
    { to: '/funds', title: texts.funds.title },
    { to: '/pay', title: texts.pay.title },
    { to: '/orders', title: texts.order.title },
    { to: '/bulks', title: texts.bulk.title },
    { to: '/baskets', title: texts.basket.title },
  ];
  return html`<nav class="places" aria-label="${texts.places}">
    ${places.map(({ to, title }) =>
      to === path
        ? html`<a href="${to}" aria-current="page">${title}</a>`
        : html`<a href="${to}">${title}</a>`,
    )}
  </nav>`;
};

/** A form with the session's token. */
export const form = ({ csrf }: View, action: string, fields: Html): Html =>
  html`<form method="post" action="${action}">
    <input type="hidden" name="csrf" value="${csrf}" />
    ${fields}
  </form>`;

/**
 * Headers of a page. A form may be redirected to the bank. A page with change events may run the only
 * script file of this app, which may call only this app.
 */
export const pageHeaders = (bankUrl: string, isLive: boolean): Readonly<Record<string, string>> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    ...(isLive ? ["script-src 'self'", "connect-src 'self'"] : []),
    `form-action 'self' ${bankUrl}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
});
