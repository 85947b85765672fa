import { Html, html } from '@xs2a/html/html';
import { codeBlock } from '../pages/code.js';
import { page } from '../pages/layout.js';
import type { Guide } from './guides.js';

const links = (guides: readonly Guide[], current?: Guide): Html =>
  html`<ul>
    ${guides.map(
      ({ name, title, sections }) =>
        html`<li>
          <a href="/guides/${name}" ${name === current?.name ? html`aria-current="page"` : undefined}
            >${title}</a
          >
          ${
            name === current?.name
              ? html`<ul>
                  ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
                </ul>`
              : undefined
          }
        </li>`,
    )}
  </ul>`;

/** The list of all guides. */
export const guidesPage = (guides: readonly Guide[]): Html =>
  page({
    path: '/guides',
    title: 'Guides',
    tree: { title: 'Guides', links: links(guides) },
    body: html`<h1>Guides</h1>
      <p class="lead">
        Step by step. Copy the commands: the tests run each of them. For Bruno and Postman there is a
        <a href="/collections">collection</a>.
      </p>
      <ul class="rows">
        ${guides.map(
          ({ name, title, summary }) =>
            html`<li>
              <p>
                <a href="/guides/${name}"><b>${title}</b></a>
              </p>
              <p>${summary}</p>
            </li>`,
        )}
      </ul>`,
  });

/** The page of a guide. Commands are preceded by the address of this bank, which they use. */
export const guidePage = (guides: readonly Guide[], guide: Guide, baseUrl: string): Html => {
  // Rendered from docs, so nothing in it comes from a client.
  const [title, ...rest] = guide.lines;
  const content = new Html(rest.join('\n'));
  return page({
    path: `/guides/${guide.name}`,
    title: guide.title,
    tree: { title: 'Guides', links: links(guides, guide) },
    body: html`<article class="guide">
      ${new Html(title ?? '')}
      ${
        content.text.includes('$BASE_URL')
          ? html`<p>
                The commands take the address of this bank, and ids from earlier answers, from variables of
                the shell:
              </p>
              ${codeBlock('Shell', `export BASE_URL=${baseUrl}`)}`
          : undefined
      }
      ${content}
    </article>`,
  });
};
