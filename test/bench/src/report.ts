import { type FigureRow, type Found, meets, type Target, targetText, formatNumber } from './figure.js';
import type { HopName } from './hops/hop.js';
import type { HopResults } from './hops/hops.js';
import type { Measured } from './load/measure.js';
import type { Row } from './row.js';
import type { Column } from './world/bench-world.js';

export interface Line {
  readonly name: string;
  readonly title: string;
  /** Absent: the hops, which belong to both. */
  readonly column?: Column;
  /**
   * The figure that is compared with the target, with its unit; absent in rows of requests, which are compared by
   * ratio.
   */
  readonly measured?: { readonly value: number; readonly text: string };
  readonly perSecond?: number;
  /** Milliseconds. */
  readonly p50?: number;
  readonly p99?: number;
  /** Ratio to each hop of the same turns; `bare` may be the ratio to the row's own baseline. */
  readonly ratio?: number;
  readonly toTransport?: number;
  readonly targetText?: string;
  /** Milliseconds of processor time per request: the total, and each part. */
  readonly cpuMs?: number;
  readonly cpu?: Measured['cpu'];
  readonly verdict: 'ok' | 'missed' | 'failed' | '';
  readonly notes?: readonly string[];
  readonly problem?: string;
}

/** A row in a few words. */
export const inWords = ({ verdict, measured, ratio, perSecond, cpuMs, problem }: Line): string => {
  if (problem !== undefined) return `${verdict}: ${problem}`;
  const figure =
    measured?.text ??
    `${ratio?.toFixed(2)} of the bare hop, ${perSecond?.toFixed(0)}/s, ${cpuMs?.toFixed(2)} CPU ms`;
  return verdict === '' ? figure : `${verdict}: ${figure}`;
};

const addUp = (cpu: Measured['cpu']): number => cpu.reduce((sum, [, ms]) => sum + ms, 0);

const summariseSpeed = ({ perSecond, p50, p99, cpu }: Measured) => ({
  perSecond,
  p50,
  p99,
  cpuMs: addUp(cpu),
  cpu,
});

/** The generator shares the machine, so its own share is printed. */
const ownCost = ({ ownMs, proofMs }: Measured): string =>
  `the load generator took ${ownMs.toFixed(2)} CPU ms a request${
    proofMs === 0 ? '' : `, and before its turns ${proofMs.toFixed(2)} ms to sign each proof`
  }`;

/** A measured row against both hops of the same turns. */
export const makeLine = (
  { name, title, targets }: Pick<Row, 'name' | 'title' | 'targets'>,
  column: Column,
  {
    result,
    hops,
    notes = [],
  }: {
    readonly result: Measured;
    readonly hops: HopResults;
    readonly notes?: readonly string[];
  },
): Line => {
  const target = targets[column];
  const ratio = result.perSecond / hops.bare.perSecond;
  const failed = result.unexpected > 0 || result.answered === 0;
  const verdict = typeof target !== 'number' ? '' : ratio >= target ? 'ok' : 'missed';
  return {
    name,
    title,
    column,
    ...summariseSpeed(result),
    ratio,
    toTransport: result.perSecond / hops.transport.perSecond,
    ...(typeof target === 'number' ? { targetText: `≥ ${target.toFixed(2)}` } : {}),
    verdict: failed ? 'failed' : verdict,
    notes: [ownCost(result), ...notes],
    ...(failed
      ? { problem: `${result.unexpected} unexpected answers: ${result.firstUnexpected ?? 'none came'}` }
      : {}),
  };
};

const formatRate = (one: Measured | undefined): string =>
  Math.round(one?.perSecond ?? 0).toLocaleString('en-US');

/** A hop by all its turns of the run, slowest first: the median and the range. */
export const hopLine = (name: HopName, sorted: readonly Measured[]): Line => {
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('the hop was not measured');
  return {
    name: `${name}-hop`,
    title: `${name} hop (${formatRate(sorted[0])} to ${formatRate(sorted.at(-1))})`,
    ...summariseSpeed(middle),
    verdict: '',
  };
};

/** A figure against its target, and its rate against the hops of the same run. */
export const makeFigureLine = (
  { name, title, targets }: Pick<FigureRow, 'name' | 'title' | 'targets'>,
  column: Column,
  found: Found,
  hops: HopResults,
): Line => {
  const target: Target | undefined = targets[column];
  if (target === undefined) throw new Error(`${name} has no target in the column ${column}`);
  const { value, perSecond, p50, p99, notes, problem } = found;
  const ratio = found.ratio ?? (perSecond === undefined ? undefined : perSecond / hops.bare.perSecond);
  return {
    name,
    title,
    column,
    measured: { value, text: formatNumber(target.unit, value) },
    ...(perSecond === undefined ? {} : { perSecond }),
    ...(p50 === undefined ? {} : { p50 }),
    ...(p99 === undefined ? {} : { p99 }),
    ...(ratio === undefined ? {} : { ratio }),
    ...(perSecond === undefined ? {} : { toTransport: perSecond / hops.transport.perSecond }),
    targetText: targetText(target),
    verdict: problem === undefined ? (meets(target, value) ? 'ok' : 'missed') : 'failed',
    notes,
    ...(problem === undefined ? {} : { problem }),
  };
};

const headings = [
  '',
  'column',
  'per second',
  'p50 ms',
  'p99 ms',
  'CPU ms',
  'to bare',
  'to transport',
  'measured',
  'target',
  '',
] as const;
const formatDigits = (value: number | undefined, digits: number): string => value?.toFixed(digits) ?? '';
const listCells = (line: Line): readonly string[] => [
  line.title,
  line.column ?? '',
  line.perSecond === undefined ? '' : Math.round(line.perSecond).toLocaleString('en-US'),
  formatDigits(line.p50, 1),
  formatDigits(line.p99, 1),
  formatDigits(line.cpuMs, 2),
  formatDigits(line.ratio, 2),
  formatDigits(line.toTransport, 2),
  line.measured?.text ?? '',
  line.targetText ?? '',
  line.verdict,
];

/** Groups the lines of a row, the column `sandbox` first; rows are in the order of their first measurement. */
const byRow = (lines: readonly Line[]): readonly Line[] =>
  [...Map.groupBy(lines, ({ name }) => name).values()].flat();

/** The printed table: text left, figures right, and the notes below. */
export const renderTable = (measured: readonly Line[]): string => {
  const lines = byRow(measured);
  const rows = [headings, ...lines.map(listCells)];
  const widths = headings.map((_name, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  const isText = (at: number): boolean => at < 2 || at === headings.length - 1;
  const text = rows.map((row) =>
    row
      .map((cell, at) => (isText(at) ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  const named = ({ title, column }: Line): string =>
    column === 'production' ? `${title}, production` : title;
  const problems = lines.flatMap((line) =>
    line.problem === undefined ? [] : [`${named(line)}: ${line.problem}`],
  );
  const shares = lines.flatMap((line) => [
    ...(line.cpu === undefined
      ? []
      : [`CPU ms of ${named(line)}: ${line.cpu.map(([name, ms]) => `${name} ${ms.toFixed(2)}`).join(', ')}`]),
    ...(line.notes ?? []).map((note) => `${named(line)}: ${note}`),
  ]);
  return [...text, ...problems, '', ...shares].join('\n');
};
