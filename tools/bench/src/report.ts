import { type FigureRow, type Found, meets, targetText, toldIn } from './figure.js';
import type { Measured } from './measure.js';
import type { Row } from './row.js';

export interface Line {
  readonly name: string;
  readonly title: string;
  /**
   * The figure that is compared with the target, with its unit; absent in rows of requests, which are judged by their
   * ratio.
   */
  readonly measured?: { readonly value: number; readonly text: string };
  readonly perSecond?: number;
  /** Milliseconds. */
  readonly p50?: number;
  readonly p99?: number;
  /** To the bare hop of the same run, or to the row's own baseline. */
  readonly ratio?: number;
  /** Least ratio. */
  readonly target?: number;
  readonly targetText?: string;
  /** Milliseconds of processor time per request: all parts, and each. */
  readonly cpuMs?: number;
  readonly cpu?: Measured['cpu'];
  readonly verdict: 'ok' | 'below' | 'failed' | '';
  readonly notes?: readonly string[];
  readonly problem?: string;
}

/** A measured row against the baseline of the same turns. */
export const lineOf = ({ name, title, target }: Row, result: Measured, baseline: Measured): Line => {
  const ratio = result.perSecond / baseline.perSecond;
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
    ...(target === undefined ? {} : { target, targetText: `≥ ${target.toFixed(2)}` }),
    verdict: failed ? 'failed' : judged,
    ...(failed
      ? { problem: `${result.unexpected} unexpected answers: ${result.firstUnexpected ?? 'none came'}` }
      : {}),
  };
};

/** A figure against its target. `baseline`: the bare hop, in requests a second. */
export const figureLineOf = ({ name, title, target }: FigureRow, found: Found, baseline: number): Line => {
  const { value, perSecond, p50, p99, notes, problem } = found;
  const ratio = found.ratio ?? (perSecond === undefined ? undefined : perSecond / baseline);
  return {
    name,
    title,
    measured: { value, text: toldIn(target.unit, value) },
    ...(perSecond === undefined ? {} : { perSecond }),
    ...(p50 === undefined ? {} : { p50 }),
    ...(p99 === undefined ? {} : { p99 }),
    ...(ratio === undefined ? {} : { ratio }),
    targetText: targetText(target),
    verdict: problem === undefined ? (meets(target, value) ? 'ok' : 'below') : 'failed',
    notes,
    ...(problem === undefined ? {} : { problem }),
  };
};

const columns = ['', 'per second', 'p50 ms', 'p99 ms', 'CPU ms', 'ratio', 'measured', 'target', ''] as const;
const told = (value: number | undefined, digits: number): string => value?.toFixed(digits) ?? '';
const cellsOf = (line: Line): readonly string[] => [
  line.title,
  line.perSecond === undefined ? '' : Math.round(line.perSecond).toLocaleString('en-US'),
  told(line.p50, 1),
  told(line.p99, 1),
  told(line.cpuMs, 2),
  told(line.ratio, 2),
  line.measured?.text ?? '',
  line.targetText ?? '',
  line.verdict,
];

/** The table that is printed: text left, figures right; below it what else has to be known. */
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
  const shares = lines.flatMap(({ title, cpu, notes = [] }) => [
    ...(cpu === undefined
      ? []
      : [`CPU ms of ${title}: ${cpu.map(([name, ms]) => `${name} ${ms.toFixed(2)}`).join(', ')}`]),
    ...notes.map((note) => `${title}: ${note}`),
  ]);
  return [...text, ...problems, '', ...shares].join('\n');
};
