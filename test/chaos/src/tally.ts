import { appendFileSync, readFileSync } from 'node:fs';
import { type ChaosReport, holds } from './report.js';

/** The counts of one run, stored as one line of JSON in a file to which many runs append. */
export interface RunCounts {
  readonly seed: number;
  readonly seconds: number;
  readonly cluster: boolean;
  /** By kind. */
  readonly faults: Readonly<Record<string, number>>;
  readonly acknowledged: Readonly<Record<string, number>>;
  readonly answers: number;
  /** The number of responses that took more than ten seconds. */
  readonly overTen: number;
  readonly lost: number;
  readonly doubled: number;
  readonly wronglyRefused: number;
  /** The number of requests that failed during rolling restarts. */
  readonly failedInRestarts: number;
  readonly holds: boolean;
}

const countRun = (report: ChaosReport): RunCounts => {
  const { seed, seconds, cluster, faults, acknowledged, answers, lost, doubled } = report;
  return {
    seed,
    seconds,
    cluster,
    faults,
    acknowledged,
    answers: answers.answers,
    overTen: answers.overTen,
    lost,
    doubled,
    wronglyRefused: report.wronglyRefused.length,
    failedInRestarts: report.failedInRestarts.length,
    holds: holds(report),
  };
};

export const appendCounts = (file: string, report: ChaosReport): void =>
  appendFileSync(file, `${JSON.stringify(countRun(report))}\n`);

export const readCounts = (file: string): readonly RunCounts[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as RunCounts);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const formatCount = (number: number): string => number.toLocaleString('en-US');

/** Adds counts by name. */
const together = (all: readonly Readonly<Record<string, number>>[]): [string, number][] => {
  const totals: Record<string, number> = {};
  for (const [name, count] of all.flatMap((one) => Object.entries(one)))
    totals[name] = (totals[name] ?? 0) + count;
  return Object.entries(totals);
};

/** Returns the totals of all runs as lines of text. */
export const tallyText = (runs: readonly RunCounts[]): string => {
  const of = (count: (run: RunCounts) => number): number => sum(runs.map(count));
  const faults = together(runs.map((run) => run.faults)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const broken = runs.filter((run) => !run.holds);
  return [
    `${formatCount(sum(faults.map(([, count]) => count)))} faults over ${formatCount(runs.length)} runs (${formatCount(of(({ seconds }) => seconds))} s): ` +
      `lost ${of(({ lost }) => lost)}, doubled ${of(({ doubled }) => doubled)}, wrongly refused ${of(({ wronglyRefused }) => wronglyRefused)}`,
    `failed in rolling restarts ${of(({ failedInRestarts }) => failedInRestarts)}; ` +
      `answers ${formatCount(of(({ answers }) => answers))}, after more than 10 s ${of(({ overTen }) => overTen)}`,
    ...faults.map(([kind, count]) => `${formatCount(count).padStart(7)} × ${kind}`),
    `acknowledged: ${together(runs.map((run) => run.acknowledged))
      .map(([name, count]) => `${name} ${formatCount(count)}`)
      .join(', ')}`,
    broken.length === 0
      ? 'every invariant held in every run'
      : `BROKEN in seeds ${broken.map(({ seed, cluster }) => `${seed}${cluster ? ' (cluster)' : ''}`).join(', ')}`,
  ].join('\n');
};
