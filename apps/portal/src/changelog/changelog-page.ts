import { Html, html } from '@xs2a/html/html';
import { page } from '../pages/layout.js';
import versions from './generated/changelog.json' with { type: 'json' };

/** What TPPs notice of each version; `npm run guides` takes it from the changelog. */
export const changelogPage = (): Html =>
  page({
    path: '/changelog',
    title: 'Changelog',
    body: html`<h1>Changelog</h1>
      <p class="lead">What changed for TPPs, newest version first.</p>
      ${versions.map(
        ({ version, lines }) =>
          // Rendered from the repository, so nothing in it comes from a client.
          html`<section class="guide" aria-labelledby="v${version}">
            <h2 id="v${version}">${version}</h2>
            ${new Html(lines.join('\n'))}
          </section>`,
      )}`,
  });
