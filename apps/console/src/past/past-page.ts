import { maxChangedSince, maxPositionsSince } from '@xs2a/contracts/console/past-payments.contract';
import type { UnfinishedPayments } from '@xs2a/contracts/payments.contract';
import { durationText } from '@xs2a/doctor/durations';
import { type Html, html } from '@xs2a/html/html';
import { type CallTotals, callTotals } from '../calls-pages/call-totals.js';
import { timeOf } from '../pages/times.js';
import { oldestSeconds } from '../settlement-page/settlement-counts.js';
import type { PastFigures } from './past-figures.js';
import { pastPath } from './past-path.js';

/** A figure at each moment; undefined where it is not known. */
interface Row {
  readonly name: string;
  readonly values: readonly (number | undefined)[];
  readonly text?: (value: number) => string;
}

/** The figures at one moment, or at two with the difference. */
export const pastBody = (figures: readonly PastFigures[]): Html => html`
  ${momentForm(figures)} ${unknownNotices(figures)}
  <section class="card wide" tabindex="0" aria-label="Figures">${figureTable(figures)}</section>
  <section class="card" aria-label="What is not known of a past moment">
    <h2>What is not known of a past moment</h2>
    <p>
      Whether services and the core bank answered, what this page called wrong, the success of SCA, how many
      settlements failed, and how many notifications waited: processes report them while they happen, and
      nothing keeps them.
      <a href="/services">Services</a> shows starts and ends of processes, <a href="/calls">Calls</a> the
      calls that failed.
    </p>
  </section>
`;

const isoOf = (atMs: number): string => new Date(atMs).toISOString();

const momentForm = (figures: readonly PastFigures[]): Html => {
  const [at, and] = figures.map(({ atMs }) => isoOf(atMs));
  return html`<form class="filter" method="get" action="/now/as-of" aria-label="Moments">
    <label>as of (UTC, the bank’s clock)<input name="at" value="${at}" maxlength="30" required /></label>
    <label>and as of<input name="and" value="${and}" maxlength="30" /></label>
    <button type="submit">Show</button>
    <a href="/now">Now</a>
  </form>`;
};

/** Says why figures are missing, once for moments with the same reasons. */
const unknownNotices = (figures: readonly PastFigures[]): readonly Html[] => {
  const moments = Map.groupBy(figures, (one) => unknownReasons(one).join(' '));
  return [...moments].flatMap(([reasons, shown]) => {
    if (reasons === '') return [];
    const times = shown.map(({ atMs }) => timeOf(isoOf(atMs))).join(' and ');
    return html`<p class="card is-attention" role="status">As of ${times}: ${reasons}</p>`;
  });
};

const unknownReasons = ({ payments, calls }: PastFigures): readonly string[] => [
  ...(payments.missing === undefined
    ? []
    : [`${payments.missing} did not answer: this page does not show payments.`]),
  ...(payments.answer !== undefined && 'unknown' in payments.answer
    ? [unknownPayments[payments.answer.unknown]]
    : []),
  ...(typeof calls === 'string' ? [unknownCalls[calls]] : []),
];

const unknownPayments = {
  'too-many': `Too much has happened since: payments are counted for the latest ${maxPositionsSince} events, of which ${maxChangedSince} may belong to payments that were open.`,
  archived: 'Events since then are archived, so that payments cannot be counted.',
} as const;
const unknownCalls = {
  'not-kept': 'Calls are not known: they are not kept for so long.',
  'clock-moved': 'Calls are not known: they are kept in real time, and the sandbox clock was moved since.',
} as const;

const figureTable = (figures: readonly PastFigures[]): Html => {
  const isDifference = figures.length > 1;
  return html`<table>
    <caption>
      Figures of Now
    </caption>
    <thead>
      <tr>
        <th scope="col">figure</th>
        ${figures.map(
          ({ atMs }) =>
            html`<th scope="col" class="number"><a href="${pastPath(atMs)}">${timeOf(isoOf(atMs))}</a></th>`,
        )}
        ${isDifference ? html`<th scope="col" class="number">difference</th>` : undefined}
      </tr>
    </thead>
    <tbody>
      ${[...paymentRows(figures), ...callRows(figures)].map((row) => figureRow(row, isDifference))}
      ${positionRow(figures)}
    </tbody>
  </table>`;
};

const figureRow = ({ name, values, text = String }: Row, isDifference: boolean): Html => {
  const [before, after] = values;
  return html`<tr>
    <th scope="row">${name}</th>
    ${values.map((value) => html`<td class="number">${value === undefined ? '?' : text(value)}</td>`)}
    ${
      isDifference
        ? html`<td class="number">
            ${before === undefined || after === undefined ? '?' : difference(after - before, text)}
          </td>`
        : undefined
    }
  </tr>`;
};

const difference = (value: number, text: (value: number) => string): string => {
  if (value === 0) return '0';
  return `${value > 0 ? '+' : '−'}${text(Math.abs(value))}`;
};

type Counts = Exclude<NonNullable<PastFigures['payments']['answer']>, { readonly unknown: unknown }>;
const countsOf = ({ payments: { answer } }: PastFigures): Counts | undefined =>
  answer === undefined || 'unknown' in answer ? undefined : answer;

const states = [
  ['Not signed yet', ['unsigned']],
  ['Due', ['due', 'overdue']],
  ['Overdue', ['overdue']],
] as const;

/** Each state, with a row for each status in which a payment was. */
const paymentRows = (figures: readonly PastFigures[]): readonly Row[] => {
  const counts = figures.map(countsOf);
  const groups = counts.flatMap((one) => one?.unfinished ?? []);
  const ofStates = ([name, wanted]: (typeof states)[number]): readonly Row[] => {
    const isWanted = ({ state }: UnfinishedPayments): boolean => wanted.some((one) => one === state);
    const statuses = [...new Set(groups.filter(isWanted).map(({ status }) => status))];
    const sum = ({ unfinished }: Counts, status?: string): number =>
      unfinished
        .filter((group) => isWanted(group) && (status === undefined || group.status === status))
        .reduce((all, { payments }) => all + payments, 0);
    return [
      { name, values: counts.map((one) => one && sum(one)) },
      ...(statuses.length < 2 ? [] : statuses.toSorted()).map((status) => ({
        name: `${name}, ${status}`,
        values: counts.map((one) => one && sum(one, status)),
      })),
    ];
  };
  return [
    ...states.flatMap(ofStates),
    {
      name: 'Oldest overdue, due for',
      values: counts.map((one) => one && oldestSeconds(one)),
      text: (seconds) => (seconds === 0 ? '–' : durationText(seconds * 1000)),
    },
    { name: 'Due later', values: counts.map((one) => one?.later) },
  ];
};

const callRows = (figures: readonly PastFigures[]): readonly Row[] => {
  const totals = figures.map(({ calls }) => (typeof calls === 'string' ? undefined : callTotals(calls)));
  const row = (name: string, count: (one: CallTotals) => number): Row => ({
    name,
    values: totals.map((one) => one && count(one)),
  });
  return [
    row('Calls of the five minutes before', ({ total }) => total),
    row('Refused calls (4xx)', ({ refused }) => refused),
    row('Failed calls (5xx)', ({ failed }) => failed),
  ];
};

/** The events of payments up to each moment, as Live shows them. */
const positionRow = (figures: readonly PastFigures[]): Html => {
  const positions = figures.map((one) => countsOf(one)?.position);
  return html`<tr>
    <th scope="row">Last event of payments</th>
    ${positions.map(
      (position) =>
        html`<td class="number">
          ${position === undefined ? '?' : html`<a href="/live?log=payments&before=${position + 1}">${position}</a>`}
        </td>`,
    )}
    ${positions.length > 1 ? html`<td></td>` : undefined}
  </tr>`;
};
