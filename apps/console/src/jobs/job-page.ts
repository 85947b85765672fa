import { type Html, html } from '@xs2a/html/html';
import { actionForm } from '../actions/action-form.js';
import { acts, isAct } from '../actions/acts.js';
import { figure } from '../pages/figure.js';
import { momentIn, timeOf } from '../pages/times.js';
import type { JobProgress, ShownItem } from './jobs.js';

/** Items on the page of a job. */
export const shownItems = 500;

const levels = { running: 'attention', paused: 'attention', ended: 'good' } as const;
const words = { done: 'done', 'nothing-to-do': 'nothing to do any more', refused: 'refused' } as const;

const left = ({ items, done, nothingToDo, refused }: JobProgress): number =>
  items - done - nothingToDo - refused;

/** The newest jobs. */
export const jobTable = (jobs: readonly JobProgress[]): Html | undefined =>
  jobs.length === 0
    ? undefined
    : html`<section class="card wide" tabindex="0" aria-label="Jobs">
        <table>
          <caption>
            Jobs, newest first
          </caption>
          <thead>
            <tr>
              <th scope="col">began (UTC)</th>
              <th scope="col">job</th>
              <th scope="col">of</th>
              <th scope="col">state</th>
              <th scope="col" class="number">items</th>
              <th scope="col" class="number">left</th>
              <th scope="col" class="number">refused</th>
            </tr>
          </thead>
          <tbody>
            ${jobs.map(
              (job) =>
                html`<tr>
                  <td class="mono nowrap">${timeOf(job.beganAt)}</td>
                  <td><a href="/jobs/${job.jobId}">${actText(job)}</a></td>
                  <td>${job.target}</td>
                  <td><span class="pill ${levels[job.state]}">${job.state}</span></td>
                  <td class="number">${job.items}</td>
                  <td class="number">${left(job)}</td>
                  <td class="number">${job.refused}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </section>`;

const actText = ({ act }: JobProgress): string => (isAct(act) ? acts[act].does : act);

/** One job with the results of its items. `csrf` is undefined for a person who may not pause it. */
export const jobBody = (
  job: JobProgress,
  items: readonly ShownItem[],
  csrf: string | undefined,
): Html => html`
  <section class="card" aria-label="Job">
    <h2><span class="pill ${levels[job.state]}">${job.state}</span> ${actText(job)}: ${job.target}</h2>
    <dl class="figures">
      ${figure('Items', String(job.items), `since ${momentIn(job.beganAt)}`)}
      ${figure('Done', String(job.done), '')}
      ${figure('Nothing to do', String(job.nothingToDo), 'it was done before')}
      ${figure('Refused', String(job.refused), '')} ${figure('Left', String(left(job)), '')}
    </dl>
    <p class="links">
      <a class="button" href="/jobs/${job.jobId}">Load again</a>
      <a class="button" href="/actions/${job.jobId}">Show the action</a>
    </p>
  </section>
  ${csrf === undefined || job.state === 'ended' ? undefined : changeForm(job, csrf)}
  <section class="card wide" tabindex="0" aria-label="Items">${itemTable(job, items)}</section>
`;

const changeForm = ({ jobId, state }: JobProgress, csrf: string): Html => {
  const form =
    state === 'running'
      ? {
          to: '/jobs/pause',
          does: 'Items that are not handled yet wait.',
          button: 'Pause',
          command: `xs2a jobs pause ${jobId}`,
        }
      : {
          to: '/jobs/continue',
          does: 'The items that are left are handled.',
          button: 'Continue',
          command: `xs2a jobs continue ${jobId}`,
        };
  return html`<section class="card" aria-label="${form.button}">
    ${actionForm({ csrf, hidden: { job: jobId }, ...form })}
  </section>`;
};

const itemTable = (job: JobProgress, items: readonly ShownItem[]): Html => html`
  <table>
    <caption>
      Items${job.items > items.length ? `, ${items.length} of ${job.items}: refused and open ones first` : ''}
    </caption>
    <thead>
      <tr>
        <th scope="col" class="number">number</th>
        <th scope="col">id</th>
        <th scope="col">result</th>
        <th scope="col">at (UTC)</th>
      </tr>
    </thead>
    <tbody>
      ${items.map(
        ({ number, item, outcome, endedAt }) =>
          html`<tr ${outcome === 'refused' ? html`class="is-problem"` : undefined}>
            <td class="number">${number}</td>
            <td class="mono">${item}</td>
            <td>${outcome === null ? 'left' : words[outcome]}</td>
            <td class="mono">${endedAt === null ? '' : timeOf(endedAt)}</td>
          </tr>`,
      )}
    </tbody>
  </table>
`;
