import type { OpenApiDocument } from '@xs2a/gateway/openapi/document';
import { type Html, html } from '@xs2a/html/html';
import { page } from '../pages/layout.js';
import { pageOf } from './operations.js';
import { byTag, codesPath, methodLabel, referenceTree, toAnchor } from './tree.js';

/** The overview of all operations. */
export const indexPage = (document: OpenApiDocument): Html => {
  const body = html`<h1>API reference</h1>
    <p class="lead">
      ${String(document.info['description'])} The description for programs is at
      <a href="/openapi.json">/openapi.json</a>. Fields of a payment take these
      <a href="${codesPath}">codes</a>.
    </p>
    <p>
      <a class="button second" href="/reference/explorer">Explorer</a>
      <a class="button second" href="/collections">Collections for Bruno and Postman</a>
    </p>
    ${byTag(document).map(
      ({ tag, operations }) =>
        html`<section aria-labelledby="${toAnchor(tag.name)}">
          <h2 id="${toAnchor(tag.name)}">${tag.name}</h2>
          <p class="quiet">${tag.description}</p>
          <ul class="rows operations">
            ${operations.map(
              ({ method, path, operation }) =>
                html`<li>
                  ${methodLabel(method)}
                  <span
                    ><a href="${pageOf(operation)}">${operation.summary}</a>
                    <code class="path">${path}</code></span
                  >
                </li>`,
            )}
          </ul>
        </section>`,
    )}`;
  const tree = { title: 'Pages of the reference', links: referenceTree(document) };
  return page({ path: '/reference', title: 'API reference', body, tree });
};
