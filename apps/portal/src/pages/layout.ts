import { type Html, html } from '@xs2a/html/html';
import { scriptHash } from './script.js';
import { styleHash } from './style.js';

/** The pages of the navigation, in its order. */
const places = [
  { to: '/guides', title: 'Guides' },
  { to: '/reference', title: 'Reference' },
  { to: '/errors', title: 'Errors' },
  { to: '/events', title: 'Events' },
  { to: '/changelog', title: 'Changelog' },
  { to: '/status', title: 'Status' },
] as const;

export interface Page {
  /** The path of the page, which the navigation marks. */
  readonly path: string;
  readonly title: string;
  readonly body: Html;
  /** Files that only this page loads. */
  readonly head?: Html;
  /** What was searched for. */
  readonly query?: string;
  /** The pages of the same section, on the left. On narrow screens it is hidden: the first page of the section lists them too. */
  readonly tree?: { readonly title: string; readonly links: Html };
}

/** Renders a page with its frame. It can be read and used without scripts. */
export const page = ({ path, title, head, body, tree, query }: Page): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – XS2A for developers</title>
        <link rel="icon" href="/portal/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/portal/style.css?v=${styleHash}" />
        <script src="/portal/portal.js?v=${scriptHash}" defer></script>
        ${head}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        ${header(path, query)}
        <div class="${tree === undefined ? 'sheet' : 'sheet with-tree'}">
          ${
            tree === undefined
              ? undefined
              : html`<nav class="tree" aria-label="${tree.title}">${tree.links}</nav>`
          }
          <main id="content" tabindex="-1">${body}</main>
        </div>
      </body>
    </html> `;

/** The longest query of a search, in characters. */
export const longestQuery = 100;

const header = (path: string, query = ''): Html =>
  html`<header class="top">
    <a class="home" href="/">XS2A <span>for developers</span></a>
    <nav aria-label="Sections">
      ${places.map(
        ({ to, title }) =>
          html`<a href="${to}" ${isCurrent(to, path) ? html`aria-current="true"` : undefined}>${title}</a>`,
      )}
    </nav>
    <form class="search" role="search" action="/search">
      <input
        type="search"
        name="q"
        value="${query}"
        maxlength="${longestQuery}"
        placeholder="Search"
        aria-label="Search"
      />
    </form>
  </header>`;

const isCurrent = (to: string, path: string): boolean => path === to || path.startsWith(`${to}/`);
