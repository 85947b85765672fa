import type { OwnRequest } from '@xs2a/contracts/console.contract';
import { type Html, html } from '@xs2a/html/html';
import { instant } from '../workspace/instant.js';
import { callRows } from '../workspace/requests-pages.js';
import type { Session } from '../workspace/session.js';
import { csrfField, workspacePage } from '../workspace/workspace-page.js';
import type { OwnTpp, PublicKey } from './own-things.js';

export interface Overview {
  readonly session: Session;
  readonly registration: OwnTpp;
  readonly baseUrl: string;
  /** The sandbox's time, as an ISO instant. */
  readonly now: string;
  /** The bank's date. */
  readonly today: string;
  /** The latest calls, newest first; undefined if they cannot be read now. */
  readonly calls?: readonly OwnRequest[];
  /** True if there may be calls before those that were read. */
  readonly hasEarlierCalls: boolean;
  readonly message?: Html;
}

/** The first page of the workspace. */
export const overviewPage = (overview: Overview): Html => {
  const { session, registration, baseUrl, now, today, message } = overview;
  return workspacePage({
    session,
    path: '/workspace',
    title: registration.name,
    body: html`${message}
      <dl class="pairs">
        <dt>Client id</dt>
        <dd><code>${registration.clientId}</code></dd>
        <dt>Roles</dt>
        <dd>${registration.roles.join(', ')}</dd>
        <dt>Authentication</dt>
        <dd><code>${registration.tokenEndpointAuthMethod}</code></dd>
        <dt>Redirect URIs</dt>
        <dd>${registration.redirectUris.map((uri) => html`<code class="block">${uri}</code>`)}</dd>
        <dt>Public keys</dt>
        <dd>${keysShown(registration)}</dd>
        <dt>Certificate</dt>
        <dd>
          None is needed in a sandbox. If you present one, it must be a test certificate of the sandbox’s own
          authority, which the operator of the sandbox has:
          <a href="/guides/present-a-certificate">present a certificate</a>
        </dd>
        <dt>API</dt>
        <dd><code>${baseUrl}</code></dd>
        <dt>Time of the sandbox</dt>
        <dd>${instant(now)}; at the bank it is <b>${today}</b> <a href="/workspace/clock">clock</a></dd>
        <dt>Links</dt>
        <dd>
          <a href="/guides/get-a-token">get a token</a>, <a href="/reference">reference</a>,
          <a href="/openapi.json">API description</a>, <a href="/collections">collections</a>,
          <a href="/oauth2/jwks">the bank’s public keys</a>,
          <a href="/#people">people of this sandbox</a>
        </dd>
      </dl>
      <h2>Latest calls</h2>
      ${latestCalls(overview)}
      <h2>Change your registration</h2>
      <div class="forms">
        <form class="form" method="post" action="/workspace/redirect-uris">
          ${csrfField(session)}
          <label
            >Redirect URI
            <span class="quiet"
              ><a href="/guides/test-your-tpp#addresses-of-your-application"
                >Which addresses are accepted</a
              ></span
            >
            <input name="redirectUri" required maxlength="2000" />
          </label>
          <p><button class="button second">Add</button></p>
        </form>
        <form class="form" method="post" action="/workspace/secret">
          ${csrfField(session)}
          <p>A new secret replaces the present one at once.</p>
          <p><button class="button second">New secret</button></p>
        </form>
      </div>`,
  });
};

/** The kind of a key, such as `EC P-256 ES256 sig`. */
const kindOf = ({ kty, crv, alg, use }: PublicKey): string =>
  [kty, crv, alg, use].filter((part) => part !== undefined).join(' ');

const keysShown = ({ jwks }: OwnTpp): Html =>
  jwks === undefined || jwks.keys.length === 0
    ? html`None. A client that signs its authentication (<code>private_key_jwt</code>) is
        <a href="/reference/registerTpp">registered</a> with <code>jwks</code>`
    : html`${jwks.keys.map(
        (key) =>
          html`<span class="block"
            >${key.kid === undefined ? 'without kid' : html`<code>${key.kid}</code>`} ${kindOf(key)}</span
          >`,
      )}`;

const latestCalls = ({ calls, hasEarlierCalls }: Overview): Html => {
  if (calls === undefined)
    return html`<p>The log of calls does not answer now. Open this page again in a few seconds.</p>`;
  if (calls.length === 0 && !hasEarlierCalls)
    return html`<p>
      None in the last 24 hours. <a href="/workspace/try/initiatePayment">Try a payment</a>, or make
      <a href="/#first-payment">a first payment</a> with your client.
    </p>`;
  return html`${callRows(calls)}
    <p><a href="/workspace/requests">All requests</a></p>`;
};
