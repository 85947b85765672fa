import { type Html, html } from '@xs2a/html/html';
import { liveScriptHash } from './live-script.js';
import { countOf } from '../shop/goods.js';
import { testCode, testPassword } from '../people/people.js';
import type { Notice, Session } from './session.js';
import { wireDrawer } from '../wire/drawer.js';
import { styleHash } from './style.js';
import type { Visit } from './visit.js';

export interface Page {
  readonly html: Html;
  readonly status: number;
  /** The address of the page's change events. A page without this address has no script. */
  readonly events?: string;
}

/** See Other (303): the browser loads the given address with GET. */
export class Redirect {
  constructor(readonly to: string) {}
}

interface App {
  readonly name: string;
  /** The pages in its navigation. */
  readonly places: readonly { readonly to: string; readonly title: string }[];
}

const moneyPlaces = [
  { to: '/accounts', title: 'Accounts' },
  { to: '/pay', title: 'Pay' },
  { to: '/orders', title: 'Orders' },
  { to: '/bulks', title: 'Bulk' },
  { to: '/baskets', title: 'Baskets' },
  { to: '/funds', title: 'Funds' },
] as const;
const moneyApp: App = { name: 'Moneta', places: moneyPlaces };
const front: App = { name: 'Sandbox TPP', places: [] };

/** The app to which a page belongs. */
const appOf = ({ path, session: { cart } }: Pick<Visit, 'session' | 'path'>): App => {
  if (path === '/') return front;
  if (!/^\/(?:shop|purchases)(?:\/|$)/.test(path)) return moneyApp;
  const places = [
    { to: '/shop', title: 'Goods' },
    { to: '/shop/subscription', title: 'Subscription' },
    { to: '/shop/cart', title: `Cart (${countOf(cart)})` },
  ];
  return { name: 'Petar’s Coffee', places };
};

/** What the user needs at the bank, if the user has picked a test person. */
const personLine = ({ person }: Pick<Session, 'person'>): Html =>
  person === undefined
    ? html`<p class="person"><a href="/#people">Pick a test person</a></p>`
    : html`<p class="person">
        You are <strong>${person.name}</strong>: user name <code>${person.psuId}</code>, password
        <code>${testPassword}</code>, code <code>${testCode}</code>. <a href="/#people">Change</a>
      </p>`;

/** Marks the navigation link for the current page or for the section to which the page belongs. */
const current = (to: string, path: string): Html | undefined => {
  if (to === path) return html`aria-current="page"`;
  // The shop's pages are no sections of each other.
  return to !== '/shop' && path.startsWith(`${to}/`) ? html`aria-current="true"` : undefined;
};

const noticeBox = (notice: Notice | undefined): Html | undefined => {
  if (notice === undefined) return undefined;
  return notice.isGood === true
    ? html`<p class="notice good" role="status">${notice.text}</p>`
    : html`<p class="notice" role="alert">${notice.text}</p>`;
};

/** Builds a complete page. It shows the session's notice once and then removes it. */
export const page = (
  { session, path }: Pick<Visit, 'session' | 'path'>,
  title: string,
  body: Html,
  { status = 200, events }: { readonly status?: number; readonly events?: string } = {},
): Page => {
  const { notice } = session;
  delete session.notice;
  const { name: app, places } = appOf({ path, session });
  const links = places.map(({ to, title: name }) => html`<a href="${to}" ${current(to, path)}>${name}</a>`);
  const text = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – ${app}</title>
        <link rel="stylesheet" href="/style.css?v=${styleHash}" />
        ${events === undefined ? undefined : html`<script src="/live.js?v=${liveScriptHash}" defer></script>`}
      </head>
      <body>
        <header>
          <p class="brand">${app}</p>
          ${path === '/' ? undefined : html`<a href="/">All apps</a>`}
          ${links.length === 0 ? undefined : html`<nav class="places" aria-label="Pages">${links}</nav>`}
          ${personLine(session)}
        </header>
        <main ${events === undefined ? undefined : html`data-events="${events}"`}>
          <h1>${title}</h1>
          ${noticeBox(notice)} ${body}
        </main>
        ${wireDrawer(session.wire)}
      </body>
    </html> `;
  return { html: text, status, events };
};

/** Builds a form that contains the session's token. */
export const form = ({ session }: Pick<Visit, 'session'>, action: string, fields: Html): Html =>
  html`<form method="post" action="${action}">
    <input type="hidden" name="csrf" value="${session.csrf}" />
    ${fields}
  </form>`;
