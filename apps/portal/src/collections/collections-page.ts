import type { OpenApiDocument } from '@xs2a/gateway/openapi/document';
import { type Html, html } from '@xs2a/html/html';
import { page } from '../pages/layout.js';
import { listOperations, pageOf } from '../reference/operations.js';
import { type Collection, listRequests } from './collection.js';
import { leftOut } from './make-collection.js';

/** The addresses of the files. */
export const brunoPath = '/collections/bruno.zip';
export const postmanPath = '/collections/postman.json';

const missing = (document: OpenApiDocument): readonly Html[] =>
  listOperations(document).flatMap(({ operation }) => {
    const reason = leftOut[operation.operationId];
    return reason === undefined
      ? []
      : [html`<li><a href="${pageOf(operation)}">${operation.summary}</a>: ${reason}.</li>`];
  });

const variables = (collection: Collection): Html => {
  const isSandbox = collection.variables['clientId'] !== '';
  return html`<h2 id="variables">Variables</h2>
    <ul class="rows">
      <li>
        <p><code>clientId</code>, <code>clientSecret</code>, <code>redirectUri</code></p>
        <p>
          ${
            isSandbox
              ? html`A client that belongs to every user of this sandbox. Replace it with
                  <a href="/reference/registerTpp">your own</a>.`
              : 'Your application, as it is registered at this bank. The files contain no secret.'
          }
          The collection gets the application’s token by itself, once, and again after a 401.
        </p>
      </li>
      <li>
        <p><code>scope</code></p>
        <p>The scopes of that token. Remove one if your application does not have its role.</p>
      </li>
      <li>
        <p><code>userToken</code>, <code>fundsToken</code></p>
        <p>
          Tokens that a customer has approved, for accounts and for funds confirmation. A browser is needed to
          get them: see <a href="/guides/get-a-token">how to get a token</a>. Without them, the requests of
          those two folders fail.
        </p>
      </li>
    </ul>
    <p>
      Ids, such as <code>paymentId</code>, are taken from the answers. Dates are as far from today as in the
      examples of the reference${isSandbox ? '; today is the day of the sandbox’s clock' : ''}.
    </p>`;
};

/** The page on which the collections are downloaded. `document`: the API description from which they are made. */
export const collectionsPage = (document: OpenApiDocument, collection: Collection): Html => {
  const { folders, environment } = collection;
  const body = html`<h1>Collections</h1>
    <p class="lead">
      All requests of this bank for an API client, in the order in which they work, each with the status that
      it expects. They are made from the <a href="/reference">reference</a>; the tests run the Bruno
      collection.
    </p>
    <p>
      <a class="button" href="${brunoPath}" download>Bruno collection</a>
      <a class="button second" href="${postmanPath}" download>Postman collection</a>
    </p>
    <h2 id="bruno">Bruno</h2>
    <ol>
      <li>Unpack the archive, and choose <b>Open collection</b> in Bruno.</li>
      <li>Select the environment <b>${environment}</b>, at the top right.</li>
      <li>Send a request, or run a folder.</li>
    </ol>
    <p>To run it in a terminal: <code>npx @usebruno/cli run -r --env ${environment}</code> in its folder.</p>
    <h2 id="postman">Postman</h2>
    <ol>
      <li>Choose <b>Import</b>, and select the file.</li>
      <li>Set what is missing under <b>Variables</b> of the collection.</li>
    </ol>
    ${variables(collection)}
    <h2 id="contents">Contents</h2>
    <ul class="rows">
      ${folders.map(
        (folder) =>
          html`<li>
            <p><b>${folder.name}</b> <span class="quiet">${listRequests([folder]).length} requests</span></p>
            <p>${folder.description}</p>
          </li>`,
      )}
    </ul>
    <h2 id="left-out">Left out</h2>
    <p>
      The collection does what an application can do without its customer: a payment that it initiates is not
      signed. To see one through, open <code>_links.scaRedirect.href</code> of the answer in a browser. These
      operations are not in the collection:
    </p>
    <ul>
      ${missing(document)}
    </ul>`;
  return page({ path: '/collections', title: 'Collections', body });
};
