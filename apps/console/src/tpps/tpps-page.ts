import type { GrantCounts, TppView } from '@xs2a/contracts/auth.contract';
import { type Html, html } from '@xs2a/html/html';
import { actionForm } from '../actions/action-form.js';
import { quoted } from '../pages/command-line.js';
import { callsPath } from '../calls-pages/call-filter.js';
import { momentIn } from '../pages/times.js';
import type { TppCalls } from './tpp-calls.js';
import { endOf, type TppCertificate } from './tpp-certificates.js';

/** All TPPs, oldest first, with their calls of the last 24 hours. */
export const tppTable = (
  tpps: readonly TppView[],
  calls: ReadonlyMap<string, TppCalls>,
  certificates: ReadonlyMap<string, TppCertificate>,
): Html => {
  if (tpps.length === 0) return html`<p>No TPP is registered.</p>`;
  return html`<table>
    <caption>
      TPPs, oldest first; calls of the last 24 hours
    </caption>
    <thead>
      <tr>
        <th scope="col">name</th>
        <th scope="col">client id</th>
        <th scope="col">identifier</th>
        <th scope="col">status</th>
        <th scope="col">certificate</th>
        <th scope="col" class="number">calls</th>
        <th scope="col" class="number">refused</th>
      </tr>
    </thead>
    <tbody>
      ${tpps.map((tpp) => tppRow(tpp, calls.get(tpp.clientId), certificates.get(tpp.clientId)))}
    </tbody>
  </table>`;
};

const tppRow = (
  { clientId, name, organizationIdentifier, status }: TppView,
  calls: TppCalls | undefined,
  certificate: TppCertificate | undefined,
): Html =>
  html`<tr>
    <td><a href="${tppPath(clientId)}">${name}</a></td>
    <td class="mono">${clientId}</td>
    <td class="mono">${organizationIdentifier ?? ''}</td>
    <td>${statusPill(status)}</td>
    <td>${certificate === undefined ? noCertificate : endOf(certificate)}</td>
    <td class="number">${callsLink(clientId, calls)}</td>
    <td class="number">${refusedLink(clientId, calls)}</td>
  </tr>`;

/** Shown for a TPP that presented no certificate within 30 days. */
const noCertificate = 'no certificate seen';

export const tppPath = (clientId: string): string => `/tpps/${encodeURIComponent(clientId)}`;

const statusPill = (status: TppView['status']): Html =>
  html`<span class="pill ${status === 'active' ? 'good' : 'neutral'}">${status}</span>`;

const callsLink = (tpp: string, calls: TppCalls | undefined): Html =>
  calls === undefined ? html`0` : html`<a href="${callsPath({ tpp })}">${calls.calls}</a>`;

const refusedLink = (tpp: string, calls: TppCalls | undefined): Html => {
  if (calls === undefined) return html`–`;
  const share = `${Number(((calls.refused / calls.calls) * 100).toFixed(1))} %`;
  return calls.refused === 0
    ? html`${share}`
    : html`<a href="${callsPath({ tpp, status: 'refused' })}">${share}</a>`;
};

interface OneTpp {
  readonly tpp: TppView;
  /** Undefined if the authorization server does not answer. */
  readonly grants: GrantCounts | undefined;
  readonly calls: TppCalls | undefined;
  readonly certificate: TppCertificate | undefined;
  /** The token of the session's forms; undefined if the person may not block a TPP. */
  readonly csrf: string | undefined;
}

export const tppBody = ({ tpp, grants, calls, certificate, csrf }: OneTpp): Html => html`
  <section class="card" aria-label="TPP">
    <h2>${tpp.name} ${statusPill(tpp.status)}</h2>
    <dl class="pairs">
      <dt>client id</dt>
      <dd class="mono">${tpp.clientId}</dd>
      <dt>identifier</dt>
      <dd class="mono">${tpp.organizationIdentifier ?? 'none: no certificate is accepted as its own'}</dd>
      <dt>certificate</dt>
      <dd>
        ${certificate === undefined ? `${noCertificate} in 30 days` : `${endOf(certificate)}, last presented ${momentIn(certificate.seenAt)}`}
      </dd>
      <dt>roles</dt>
      <dd>${tpp.roles.join(' ')}</dd>
      <dt>authenticates by</dt>
      <dd>${tpp.authMethod}${tpp.keys === 0 ? '' : ` (${tpp.keys} public keys)`}</dd>
      <dt>registered</dt>
      <dd>${momentIn(tpp.registeredAt)}</dd>
      <dt>valid tokens</dt>
      <dd>
        ${tpp.tokensFrom === undefined ? 'all that have not expired' : `only those issued from ${momentIn(new Date(tpp.tokensFrom * 1000))} on`}
      </dd>
      <dt>grants of PSUs</dt>
      <dd>${grants === undefined ? 'not known: auth did not answer' : grantsText(grants)}</dd>
      <dt>calls in 24 hours</dt>
      <dd>${callsLink(tpp.clientId, calls)}</dd>
      <dt>refused</dt>
      <dd>${refusedLink(tpp.clientId, calls)}</dd>
    </dl>
  </section>
  ${csrf === undefined ? undefined : statusForm(tpp, csrf)}
  ${csrf === undefined || !tpp.authMethod.startsWith('client_secret') ? undefined : secretForm(tpp, csrf)}
`;

/** Grants that have neither expired nor been revoked. A PSU may have given several. */
const grantsText = ({ PSP_AI: accounts, PSP_IC: funds }: GrantCounts): string =>
  `${accounts} for account information (PSP_AI), ${funds} for funds confirmation (PSP_IC)`;

const secretForm = ({ clientId }: TppView, csrf: string): Html => html`
  <section class="card" aria-label="New secret">
    <h2>New secret</h2>
    ${actionForm({
      csrf,
      to: '/tpps/rotate-secret',
      does: 'The old secret ends at once; tokens stay valid. The new secret is shown once: give it to the TPP over a safe channel.',
      button: 'Create a new secret',
      command: `xs2a tpp rotate-secret ${quoted(clientId)}`,
      hidden: { clientId },
    })}
  </section>
`;

/** The answer to the form: the only page that contains the secret. Without one, the record says why. */
export const secretBody = (clientId: string, actionId: string, secret: string | undefined): Html => html`
  ${
    secret === undefined
      ? html`<p class="card is-problem" role="alert">
          No secret is shown: the form was sent before, or it failed.
          <a href="/actions/${actionId}">Its record</a> says which. If a new secret was created and nobody saw
          it, create another one: the one before has ended.
        </p>`
      : html`<section class="card" aria-label="New secret">
          <dl class="pairs">
            <dt>new secret</dt>
            <dd class="mono">${secret}</dd>
          </dl>
          <p class="quiet">
            This page shows it once. <a href="/actions/${actionId}">The record</a> does not contain it.
          </p>
        </section>`
  }
  <p class="links"><a class="button" href="${tppPath(clientId)}">Back to the TPP</a></p>
`;

/** What a change of the status does. */
export const statusEffects = {
  blocked:
    'All calls of this TPP are refused within a second. Its tokens and grants are revoked for good, also if it is unblocked later.',
  active: 'This TPP may call again. It needs new tokens.',
} as const satisfies Readonly<Record<TppView['status'], string>>;

const statusForm = ({ clientId, status }: TppView, csrf: string): Html => {
  const hidden = { clientId };
  const [title, form] =
    status === 'active'
      ? ([
          'Block',
          {
            to: '/tpps/block',
            does: statusEffects.blocked,
            button: 'Block this TPP',
            command: `xs2a tpp block ${quoted(clientId)}`,
          },
        ] as const)
      : ([
          'Unblock',
          {
            to: '/tpps/unblock',
            does: statusEffects.active,
            button: 'Unblock this TPP',
            command: `xs2a tpp unblock ${quoted(clientId)}`,
          },
        ] as const);
  return html`<section class="card" aria-label="${title}">
    <h2>${title}</h2>
    ${actionForm({ csrf, hidden, ...form })}
  </section>`;
};
