import type { OwnRequest } from '@xs2a/contracts/console.contract';
import { type Html, html } from '@xs2a/html/html';
import { instant } from './instant.js';
import { callRows } from './requests-pages.js';
import type { Credentials, Session } from './session.js';
import { workspacePage } from './workspace-page.js';

export interface Overview {
  readonly session: Session;
  readonly tpp: Credentials;
  readonly baseUrl: string;
  /** The sandbox's time, as an ISO instant. */
  readonly now: string;
  /** The latest calls, newest first. */
  readonly calls: readonly OwnRequest[];
}

/** The first page of the workspace. */
export const overviewPage = ({ session, tpp, baseUrl, now, calls }: Overview): Html =>
  workspacePage({
    session,
    path: '/workspace',
    title: 'Overview',
    body: html`<dl class="pairs">
        <dt>Client id</dt>
        <dd><code>${tpp.clientId}</code></dd>
        <dt>API</dt>
        <dd><code>${baseUrl}</code></dd>
        <dt>Time of the sandbox</dt>
        <dd>${instant(now)} <a href="/workspace/clock">move it</a></dd>
      </dl>
      <h2>Latest calls</h2>
      ${
        calls.length === 0
          ? html`<p>
              None in the last 24 hours. <a href="/#first-payment">Make a first payment</a> with your client.
            </p>`
          : html`${callRows(calls)}
              <p><a href="/workspace/requests">All requests</a></p>`
      }`,
  });
