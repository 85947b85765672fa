import { type Html, html } from '@xs2a/html/html';
import { durationText } from '@xs2a/doctor/durations';
import type { Badge } from '../now/badges.js';
import { auditors, helpers, type Role, watchers } from '../staff/roles.js';
import type { Staff } from '../staff/staff.js';
import { copyable } from '../copy/copyable.js';
import { scriptHash } from './script.js';
import { styleHash } from './style.js';
import { htmxVersion } from './vendored.js';

interface Place {
  readonly to: string;
  readonly title: string;
  readonly roles: readonly Role[];
}

/** The pages of the navigation, in its order. */
const places: readonly Place[] = [
  { to: '/now', title: 'Now', roles: watchers },
  { to: '/live', title: 'Live', roles: watchers },
  { to: '/payments', title: 'Payments', roles: watchers },
  { to: '/consents', title: 'Consents', roles: watchers },
  { to: '/calls', title: 'Calls', roles: watchers },
  { to: '/settlement', title: 'Settlement', roles: watchers },
  { to: '/push', title: 'Push', roles: watchers },
  { to: '/services', title: 'Services', roles: watchers },
  { to: '/tpps', title: 'TPPs', roles: watchers },
  { to: '/psus', title: 'PSUs', roles: helpers },
  { to: '/actions', title: 'Actions', roles: auditors },
];

/** Returns the first page that a person may see; undefined if there is none yet. */
export const firstPlace = ({ roles }: Staff): Place | undefined =>
  places.find((place) => place.roles.some((role) => roles.includes(role)));

/** An answer with an error replaces nothing: without its content, a page could not ask again. */
const htmxConfig = JSON.stringify({
  includeIndicatorCSS: false,
  history: false,
  defaultTimeout: 4000,
  noSwap: [204, 304, '4xx', '5xx'],
});

export interface Frame {
  readonly staff: Staff;
  readonly csrf: string;
  /** The path of the page, which the navigation marks. */
  readonly path: string;
  /** The path with its query, which a page that refreshes itself loads again. */
  readonly address: string;
  /** The time of the answer, in real time: `13:23:58 UTC`. */
  readonly at: string;
  /** The offset of the sandbox clock from real time; 0 outside a sandbox. */
  readonly clockOffsetMs: number;
  /** By the path of a page of the navigation; none where nothing waits. */
  readonly badges: ReadonlyMap<string, Badge>;
}

export interface Content {
  readonly title: string;
  readonly body: Html;
  /** Seconds after which the page refreshes itself; undefined if it does not. */
  readonly refreshSeconds?: number;
  /** The same page as a command. */
  readonly command?: string;
}

/** Renders a page with navigation, for a person who is signed in. It can be read and used without scripts. */
export const page = (frame: Frame, content: Content): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="htmx-config" content="${htmxConfig}" />
        <title>${content.title} – XS2A console</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/style.css?v=${styleHash}" />
        <script src="/assets/htmx.js?v=${htmxVersion}" defer></script>
        <script src="/assets/console.js?v=${scriptHash}" defer></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        ${navigation(frame)}
        <div class="page">${topBar(frame)} ${main(frame, content)}</div>
      </body>
    </html> `;

const navigation = ({ staff, path, badges }: Frame): Html => {
  const links = places
    .filter(({ roles }) => roles.some((role) => staff.roles.includes(role)))
    .map(({ to, title }) => {
      return html`<a href="${to}" ${isCurrent(to, path) ? html`aria-current="page"` : undefined}
        >${title}${badge(badges.get(to))}</a
      >`;
    });
  return html`<nav aria-label="Pages" id="navigation"><strong>XS2A console</strong>${links}</nav>`;
};

const badge = (waiting: Badge | undefined): Html | undefined => {
  if (waiting === undefined) return undefined;
  const { count, level } = waiting;
  const words = `${count === 1 ? 'finding' : 'findings, the worst'}: ${level}`;
  return html` <b class="count ${level}">${count}<span class="hidden"> ${words}</span></b>`;
};

const isCurrent = (to: string, path: string): boolean => path === to || path.startsWith(`${to}/`);

const topBar = ({ staff, csrf, clockOffsetMs }: Frame): Html => html`
  <header>
    ${searchBox(staff)}
    <p id="copied" class="hidden" role="status"></p>
    <p id="stale" class="pill problem" hidden>no answer from the console</p>
    ${clockOffsetMs === 0 ? undefined : html`<p class="pill neutral">sandbox clock ${clockText(clockOffsetMs)}</p>`}
    <p class="quiet">${staff.name} · ${staff.roles.join(', ')}</p>
    <form method="post" action="/sign-out">
      <input type="hidden" name="csrf" value="${csrf}" />
      <button type="submit">Sign out</button>
    </form>
  </header>
`;

/** Leads from an id to its page. */
const searchBox = ({ roles }: Staff): Html | undefined =>
  watchers.some((role) => roles.includes(role))
    ? html`<form class="search" role="search" method="get" action="/search">
        <label class="hidden" for="q">Search</label>
        <input
          id="q"
          name="q"
          type="search"
          maxlength="200"
          placeholder="payment, consent, basket, request, trace or TPP id"
        />
      </form>`
    : undefined;

/** Formats the offset of the sandbox clock: `+81 d 3 h`. */
const clockText = (offsetMs: number): string => `${offsetMs > 0 ? '+' : ''}${durationText(offsetMs)}`;

const main = ({ address, at }: Frame, { title, body, refreshSeconds, command }: Content): Html => html`
  <main
    id="content"
    tabindex="-1"
    data-at="${at}"
    ${refreshSeconds === undefined ? undefined : refresh(address, refreshSeconds)}
  >
    <h1>${title}</h1>
    ${body}
    ${command === undefined ? undefined : html`<p class="command">As a command: ${copyable(command)}</p>`}
  </main>
`;

/** The attributes of a page that loads itself again; its navigation, with the badges, is replaced too. */
const refresh = (address: string, seconds: number): Html =>
  html`hx-get="${address}" hx-trigger="every ${seconds}s" hx-select="#content" hx-select-oob="#navigation"
  hx-swap="outerMorph" hx-headers='{"X-Refresh":"1"}'`;
