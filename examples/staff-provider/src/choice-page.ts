import { type Html, html } from '@xs2a/html/html';
import { staff } from './staff.js';

/** The style of the page. */
export const style = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 3rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; }
button { display: block; width: 100%; min-height: 2.75rem; margin: .5rem 0; padding: .5rem 1rem; font: inherit; text-align: left; cursor: pointer; }`;

/** The page on which a person chooses who to be. */
export const choicePage = (uid: string): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Staff of the sandbox bank</title>
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <h1>Who are you?</h1>
        <p>This is the identity provider of the sandbox. A bank uses its own.</p>
        <form method="post" action="/interaction/${uid}">
          ${staff.map(
            ({ id, role, does }) =>
              html`<button name="staff" value="${id}"><strong>${id}</strong> · ${role}: ${does}</button>`,
          )}
        </form>
      </body>
    </html> `;
