import { type Html, html } from '@xs2a/html/html';
import { securityHeaders } from './security-headers.js';
import { styleHash } from './style.js';

export const bareHeaders: Readonly<Record<string, string>> = {
  ...securityHeaders,
  'Content-Type': 'text/html; charset=utf-8',
};

export interface Link {
  readonly to: string;
  readonly text: string;
}

/** A page without navigation, for somebody who is not signed in and for errors. */
export const barePage = (title: string, text: string, link: Link): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} – XS2A console</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/style.css?v=${styleHash}" />
      </head>
      <body class="bare">
        <main>
          <h1>${title}</h1>
          <p>${text}</p>
          <p><a class="button" href="${link.to}">${link.text}</a></p>
        </main>
      </body>
    </html> `;
