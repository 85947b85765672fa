import type { Measured } from './measure.js';
import type { Row } from './row.js';

export interface Line {
  readonly name: string;
  readonly title: string;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** To the bare hop of the same run. */
  readonly ratio: number;
  readonly target?: number;
  /** Milliseconds of processor time per request: all parts, and each. */
  readonly cpuMs: number;
  readonly cpu: Measured['cpu'];
  readonly verdict: 'ok' | 'below' | 'failed' | '';
  readonly problem?: string;
}

/** A measured row against the baseline, in requests a second. */
export const lineOf = ({ name, title, target }: Row, result: Measured, baseline: number): Line => {
  const ratio = result.perSecond / baseline;
  const failed = result.unexpected > 0 || result.answered === 0;
  const judged = target === undefined ? '' : ratio >= target ? 'ok' : 'below';
  return {
    name,
    title,
    perSecond: result.perSecond,
    p50: result.p50,
    p99: result.p99,
    ratio,
    cpuMs: result.cpu.reduce((sum, [, ms]) => sum + ms, 0),
    cpu: result.cpu,
    ...(target === undefined ? {} : { target }),
    verdict: failed ? 'failed' : judged,
    ...(failed
      ? { problem: `${result.unexpected} unexpected answers: ${result.firstUnexpected ?? 'none came'}` }
      : {}),
  };
};

const columns = ['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU ms', 'ratio', 'target', ''] as const;
const cellsOf = (line: Line): readonly string[] => [
  line.title,
  Math.round(line.perSecond).toLocaleString('en-US'),
  line.p50.toFixed(1),
  line.p99.toFixed(1),
  line.cpuMs.toFixed(2),
  line.ratio.toFixed(2),
  line.target === undefined ? '' : `≥ ${line.target.toFixed(2)}`,
  line.verdict,
];

/** The table that is printed: text left, figures right. */
export const tableOf = (lines: readonly Line[]): string => {
  const rows = [columns, ...lines.map(cellsOf)];
  const widths = columns.map((_name, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  const isText = (at: number): boolean => at === 0 || at === columns.length - 1;
  const text = rows.map((row) =>
    row
      .map((cell, at) => (isText(at) ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  const problems = lines.flatMap(({ title, problem }) =>
    problem === undefined ? [] : [`${title}: ${problem}`],
  );
  const shares = lines.map(
    ({ title, cpu }) =>
      `CPU ms of ${title}: ${cpu.map(([name, ms]) => `${name} ${ms.toFixed(2)}`).join(', ')}`,
  );
  return [...text, ...problems, '', ...shares].join('\n');
};
