import { type Html, html } from '@xs2a/html/html';
import { page } from '../pages/layout.js';
import { instant } from '../workspace/instant.js';
import type { Session } from '../workspace/session.js';
import { csrfField, note, workspacePage } from '../workspace/workspace-page.js';
import type { Evaluated } from './evaluate.js';
import type { Finding } from './finding.js';
import type { Provoked } from './situation.js';

export interface Certify {
  readonly evaluated: readonly Evaluated[];
  /** From when on calls count, as an ISO instant in real time; absent: the last 24 hours. */
  readonly since?: string | undefined;
  /** The real time, as an ISO instant. */
  readonly now: string;
  /** The number of calls that were compared, whether there are older ones, and how many have no stored contents. */
  readonly calls: number;
  readonly isWhole: boolean;
  readonly notStored: number;
}

const results = {
  failed: { colour: 'problem', word: 'failed', title: 'Failed' },
  open: { colour: 'neutral', word: 'not yet', title: 'Not yet shown' },
  shown: { colour: 'good', word: 'shown', title: 'Shown' },
} as const;
const order = ['failed', 'open', 'shown'] as const;
const having = (evaluated: readonly Evaluated[], result: Finding['result']): readonly Evaluated[] =>
  evaluated.filter(({ finding }) => finding.result === result);

/** What was shown, and what is missing or wrong, worst first. */
export const certifyPage = (session: Session, certify: Certify, message?: Html): Html => {
  const { evaluated, since } = certify;
  return workspacePage({
    session,
    path: '/workspace/certify',
    title: 'Certify',
    body: html`${message}
      <p class="lead">
        Forty situations that an application meets at a bank. Use your application as its customers would, and
        see here which of them it has shown that it survives.
      </p>
      <p><b>${countsOf(evaluated)}</b> ${span(certify)}</p>
      ${gapOf(certify)}
      <div class="choices">
        <a class="button" href="/workspace/certify/report${queryOf(since)}">Report to print</a>
        <a class="button second" href="/workspace/certify?since=${encodeURIComponent(certify.now)}"
          >Start again now</a
        >
        ${since === undefined ? undefined : html`<a class="button second" href="/workspace/certify">Last 24 hours</a>`}
      </div>
      ${order.map((result) => listOf(session, result, certify))}`,
  });
};

const queryOf = (since: string | undefined): string =>
  since === undefined ? '' : `?since=${encodeURIComponent(since)}`;

const countsOf = (evaluated: readonly Evaluated[]): string => {
  const count = (result: Finding['result']): number => having(evaluated, result).length;
  return `${count('shown')} of ${evaluated.length} shown, ${count('failed')} failed, ${count('open')} not yet.`;
};

const span = ({ since, calls, isWhole }: Certify): Html =>
  html`<span class="quiet"
    >From ${calls} ${calls === 1 ? 'call' : 'calls'}
    ${since === undefined ? 'of the last 24 hours' : html`since ${instant(since)}`}, with your notifications
    and payments.${isWhole ? undefined : ' There are older calls, which were not compared.'}</span
  >`;

/** Names the calls that cannot be compared, which a TPP would otherwise look for in vain. */
const gapOf = ({ notStored }: Certify): Html | undefined =>
  notStored === 0
    ? undefined
    : note(
        'attention',
        `${notStored} further ${notStored === 1 ? 'call was' : 'calls were'} not compared, because the sandbox did not store the content. It stores only that of your first hundred calls per minute. Repeat the situations that are missing, at a slower rate.`,
      );

const listOf = (session: Session, result: Finding['result'], certify: Certify): Html | undefined => {
  const some = having(certify.evaluated, result);
  if (some.length === 0) return undefined;
  return html`<section>
    <h2>${results[result].title}</h2>
    <ul class="rows">
      ${some.map((one) => row(session, one, certify.since))}
    </ul>
  </section>`;
};

const pill = ({ result }: Finding): Html =>
  html`<span class="pill ${results[result].colour}">${results[result].word}</span>`;

const row = (session: Session, { group, situation, finding }: Evaluated, since: string | undefined): Html =>
  html`<li id="${situation.id}">
    <p>${pill(finding)} <b>${situation.title}</b> <span class="quiet">${group.title}</span></p>
    ${finding.seen === undefined ? undefined : html`<p>${finding.seen}</p>`} ${evidence(finding)}
    <details ${finding.result === 'failed' ? html`open` : undefined}>
      <summary>${finding.result === 'shown' ? 'Repeat' : 'What to do'}</summary>
      <p>${situation.good} <a href="${situation.guide}">Read more</a></p>
      <p>${situation.how}</p>
      ${situation.provoked === undefined ? undefined : provokeForm(session, situation.id, situation.provoked, since)}
    </details>
  </li>`;

const evidence = ({ requestIds, notificationIds }: Finding): Html | undefined =>
  requestIds.length + notificationIds.length === 0
    ? undefined
    : html`<p class="quiet">
        ${requestIds.map((id) => html`<a href="/workspace/requests/${id}"><code>${id}</code></a> `)}
        ${notificationIds.map((id) => html`notification <a href="/workspace/push"><code>${id}</code></a> `)}
      </p>`;

const outcomes = {
  unavailable: 'answers 503',
  'too-many-requests': 'answers 429',
  'lost-answer': 'loses its answer',
} as const;
const sends = {
  replay: 'Send your newest notification again',
  forge: 'Send a forgery of your newest notification',
} as const;
const buttonOf = (provoked: Provoked): string => {
  if ('plan' in provoked) return `The next ${provoked.plan.operation} ${outcomes[provoked.plan.outcome]}`;
  if ('send' in provoked) return sends[provoked.send];
  return provoked.visit === 'nok' ? 'Open the Nok address of your latest payment' : 'Open your redirect URI';
};

const provokeForm = (session: Session, id: string, provoked: Provoked, since: string | undefined): Html =>
  html`<form method="post" action="/workspace/certify">
    ${csrfField(session)} <input type="hidden" name="situation" value="${id}" />
    ${since === undefined ? undefined : html`<input type="hidden" name="since" value="${since}" />`}
    <p><button class="button second">${buttonOf(provoked)}</button></p>
  </form>`;

/** The report: the same as one table, to be printed. */
export const reportPage = (
  certify: Certify,
  about: {
    readonly name: string;
    readonly clientId: string;
    readonly profile: string;
    readonly baseUrl: string;
  },
): Html =>
  page({
    path: '/workspace',
    title: `Report on ${about.name}`,
    body: html`<h1>Report on ${about.name}</h1>
      <dl class="pairs">
        <dt>Client id</dt>
        <dd><code>${about.clientId}</code></dd>
        <dt>Sandbox</dt>
        <dd><code>${about.baseUrl}</code>, profile <code>${about.profile}</code></dd>
        <dt>Made</dt>
        <dd>${instant(certify.now)}</dd>
        <dt>Result</dt>
        <dd><b>${countsOf(certify.evaluated)}</b> ${span(certify)}</dd>
      </dl>
      <p>
        This report shows what the application did in a sandbox. It is not an audit, and it says nothing about
        situations that the application did not encounter.
      </p>
      <table class="report">
        <thead>
          <tr>
            <th scope="col">Situation</th>
            <th scope="col">Result</th>
            <th scope="col">Evidence</th>
          </tr>
        </thead>
        <tbody>
          ${certify.evaluated.map(reportRow)}
        </tbody>
      </table>
      <p class="no-print"><a href="/workspace/certify${queryOf(certify.since)}">Back to Certify</a></p>`,
  });

const reportRow = ({ situation, finding }: Evaluated): Html =>
  html`<tr>
    <th scope="row">${situation.title}<span class="quiet block">${situation.good}</span></th>
    <td>${pill(finding)}</td>
    <td>
      ${finding.seen}
      ${[...finding.requestIds, ...finding.notificationIds].map((id) => html`<code class="block">${id}</code>`)}
    </td>
  </tr>`;
