import { type Html, html } from '@xs2a/html/html';
import { durationText } from '@xs2a/doctor/durations';
import type { CallVolume } from '../calls-pages/call-groups.js';
import { callTotals } from '../calls-pages/call-totals.js';
import { copyable } from '../copy/copyable.js';
import { figure } from '../pages/figure.js';
import { runbookPath, runbookTitle } from '../runbooks/runbooks.js';
import { serviceTable } from '../services-page/service-table.js';
import { countState } from '../settlement-page/settlement-counts.js';
import type { Waiting } from './backlog.js';
import type { Finding } from './finding.js';
import type { Observation } from './observer.js';
import { type ScaFigures, scaFigures } from './sca-figures.js';
import { windowMs } from './thresholds.js';

/** What is wrong, worst first; then figures of the calls; then the services. */
export const nowBody = (observation: Observation | undefined): Html => {
  if (observation === undefined)
    return html`<p role="status">
      The present state is not known: the console has just started, or its database does not answer. Wait five
      seconds; if this stays, its log says why.
    </p>`;
  const { findings, volume, waiting, instances, atMs } = observation;
  return html`
    <section aria-label="What is wrong">
      ${findings.length === 0 ? allWell : findings.map(findingCard)}
    </section>
    <section class="card" aria-label="Calls of the last five minutes">${figures(volume)}</section>
    <section class="card" aria-label="Payments and SCA">
      ${waitingFigures(waiting, scaFigures(instances))}
      <p class="links"><a href="/now/as-of">As of a moment</a></p>
    </section>
    <section class="card wide" tabindex="0" aria-label="Services">${serviceTable(instances, atMs)}</section>
  `;
};

const allWell = html`<div class="card" role="status">
  <h2>
    <span class="pill good">all is well</span> Every service answers, payments settle, and no TPP is refused
    unusually often.
  </h2>
</div>`;

const findingCard = ({ level, sentence, details, evidence, runbook, repairs = [] }: Finding): Html => html`
  <article class="card is-${level}">
    <h2><span class="pill ${level}">${level}</span> ${sentence}</h2>
    ${details.map((detail) => html`<p class="quiet">${detail}</p>`)}
    <p class="links">
      <a class="button main" href="${evidence.to}">${evidence.text}</a>
      <a class="button" href="${runbookPath(runbook)}">Runbook: ${runbookTitle(runbook)}</a>
    </p>
    ${repairs.map(
      ({ where, command }) =>
        html`<p class="quiet">Repair${where === undefined ? '' : ` ${where}`}: ${copyable(command)}</p>`,
    )}
  </article>
`;

const figures = (volume: CallVolume): Html => {
  const { total, refused, failed } = callTotals(volume);
  const { p99Ms } = volume;
  const perSecond = total / (windowMs / 1000);
  return html`<dl class="figures">
    ${figure('Calls a second', perSecond < 10 ? perSecond.toFixed(1) : String(Math.round(perSecond)), `${total} in 5 min`)}
    ${figure('Slowest in a hundred', p99Ms === undefined ? '–' : durationText(p99Ms), 'successful calls, p99')}
    ${figure('Refused', share(refused, total), `${refused} ${refused === 1 ? 'call' : 'calls'}, 4xx`)}
    ${figure('Failed', share(failed, total), `${failed} ${failed === 1 ? 'call' : 'calls'}, 5xx`)}
  </dl>`;
};

/** What waits; a question mark for what is not known because its service does not answer. */
const waitingFigures = ({ queue, unfinished }: Waiting, sca: ScaFigures | undefined): Html => {
  const count = (...states: readonly ('unsigned' | 'due' | 'overdue')[]): string =>
    queue === undefined ? '?' : String(states.reduce((sum, state) => sum + countState(queue, state), 0));
  return html`<dl class="figures">
    ${figure('Not signed yet', count('unsigned'), 'payments')}
    ${figure('Due', count('due', 'overdue'), 'payments to settle now')}
    ${figure('Overdue', count('overdue'), 'of them, for more than a minute')}
    ${figure('Failing', unfinished === undefined ? '?' : String(unfinished.failing), 'settlements tried again')}
    ${scaFigure(sca)}
  </dl>`;
};

const scaFigure = (sca: ScaFigures | undefined): Html => {
  if (sca === undefined) return figure('SCA', '?', 'auth is not heard');
  const { passed, failed, locks } = sca;
  const note = `${passed} of ${passed + failed} sign-ins and codes; ${locks} ${locks === 1 ? 'lock' : 'locks'}, 5 min`;
  return figure('SCA', share(passed, passed + failed), note);
};

const share = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Number(((part / whole) * 100).toFixed(1))} %`;
