import { type AnswerCounts, describeSlow, hangingSeconds, promisedSeconds } from './load/answer-times.js';
import type { MaxWait } from './load/client-log.js';
import type { Invariant } from '@xs2a/invariants/invariants';
import { usualPayers } from './load/load.js';
import type { ChaosProfile } from './load/payment-forms.js';

export interface ChaosReport {
  readonly seed: number;
  readonly seconds: number;
  /** Whether the run used three nats-servers, not one. */
  readonly cluster: boolean;
  readonly profile: ChaosProfile;
  /** The number of concurrent paying clients. */
  readonly payers: number;
  /** The size limit of each event stream. If absent, the sandbox's default applied. */
  readonly streamMegabytes?: number;
  /** The number of faults that happened, by kind. */
  readonly faults: Readonly<Record<string, number>>;
  readonly acknowledged: Readonly<Record<string, number>>;
  /** The number of acknowledged operations that a database restored to an earlier state may have lost, by kind. */
  readonly uncertain: Readonly<Record<string, number>>;
  /** The number of requests that were retried because their outcome was unknown. */
  readonly retries: number;
  /** The number of processes that exited and were restarted. */
  readonly restarts: number;
  /** The longest time that a client waited for a response, including all faults in that time. */
  readonly maxWait: MaxWait;
  /** The response counts of the run. */
  readonly answers: AnswerCounts;
  /** Seconds from the last fault until no more work was due. */
  readonly restAfterSeconds: number;
  readonly lost: number;
  readonly doubled: number;
  /**
   * One sentence for each payment that was refused for lack of funds but would have been covered if payments had
   * been settled in order.
   */
  readonly wronglyRefused: readonly string[];
  /** One sentence for each request that failed during a rolling restart. */
  readonly failedInRestarts: readonly string[];
  readonly invariants: readonly Invariant[];
}

/** Matches findings about acknowledged operations that are missing or have no effect. */
const lost = / is lost|was (?:signed|cancelled|authorised) but is /;
/** Matches findings about resources that exist more than once. */
const doubled =
  /twice|two payments|also created|more than once|\b(?:[2-9]|\d{2,}) (?:holds|posts|×|transfers)/;

export const lostIn = (violations: readonly string[]): number =>
  violations.filter((sentence) => lost.test(sentence)).length;
export const doubledIn = (violations: readonly string[]): number =>
  violations.filter((sentence) => doubled.test(sentence)).length;

export const holds = ({ invariants, answers, wronglyRefused, failedInRestarts }: ChaosReport): boolean =>
  answers.violations.length === 0 &&
  failedInRestarts.length === 0 &&
  wronglyRefused.length === 0 &&
  invariants.every(({ violations }) => violations.length === 0);

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
const list = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count.toLocaleString('en-US')}`)
    .join(', ');

const formatCommand = ({ seed, seconds, cluster, profile, payers, streamMegabytes }: ChaosReport): string =>
  [
    `npm run chaos -- --seed ${seed} --seconds ${seconds}`,
    ...(profile === 'sandbox' ? [] : [`--profile ${profile}`]),
    ...(cluster ? ['--cluster'] : []),
    ...(payers === usualPayers ? [] : [`--clients ${payers}`]),
    ...(streamMegabytes === undefined ? [] : [`--stream-mb ${streamMegabytes}`]),
  ].join(' ');

const answerLines = ({
  answers,
  maxWait,
  overTwo,
  overTen,
  excused,
  slow,
  violations,
}: AnswerCounts): string[] => [
  `answers: ${answers.toLocaleString('en-US')}, ${overTwo} after more than ${promisedSeconds} s, ${overTen} after more than ${hangingSeconds} s` +
    ` (and ${excused} while the client stood still or the sandbox clock had due work done)`,
  ...(maxWait === undefined ? [] : [`longest answer: ${describeSlow(maxWait)}`]),
  ...Object.entries(slow).map(([kind, count]) => `      ${count} × ${kind}`),
  ...violations.map((sentence) => `      BROKEN, too late: ${sentence}`),
];

const maxSentences = 20;
const sentenceLines = (sentences: readonly string[]): string[] => [
  ...sentences.slice(0, maxSentences).map((sentence) => `      ${sentence}`),
  ...(sentences.length > maxSentences ? [`      and ${sentences.length - maxSentences} more`] : []),
];

/** Returns the counts as text, one per line. */
export const reportText = (report: ChaosReport): string => {
  const { faults, acknowledged, uncertain, invariants, maxWait, wronglyRefused } = report;
  const lines = [
    `seed ${report.seed}, ${report.seconds} s: ${formatCommand(report)}`,
    `faults ${holds(report) ? 'survived' : 'injected'}: ${total(faults)} (${list(faults)})`,
    `processes that ended and came back: ${report.restarts}; requests sent again: ${report.retries}`,
    `longest wait of a client: ${maxWait.seconds.toFixed(1)} s (${maxWait.what}; tries ${maxWait.tries}, the longest ${maxWait.maxTrySeconds.toFixed(1)} s)`,
    ...Object.entries(maxWait.failed).map(([why, count]) => `      ${count} × ${why}`),
    ...answerLines(report.answers),
    `acknowledged: ${list(acknowledged)}`,
    `of these in seconds that were lost when the database went back: ${list(uncertain)}`,
    `lost ${report.lost}, doubled ${report.doubled}, wrongly refused ${wronglyRefused.length}; nothing due left ${report.restAfterSeconds.toFixed(1)} s after the last fault`,
    ...sentenceLines(wronglyRefused),
    ...sentenceLines(report.failedInRestarts.map((sentence) => `BROKEN, ${sentence}`)),
  ];
  for (const { number, rule, checked, violations } of invariants) {
    lines.push(`(${number}) ${violations.length === 0 ? 'holds ' : 'BROKEN'} ${rule} [${checked}]`);
    lines.push(...sentenceLines(violations));
  }
  return lines.join('\n');
};
