import type { HopName } from './hops/hop.js';
import type { HopResults } from './hops/hops.js';
import { type CpuTimes, listCpu, sumCpu } from './load/cpu-time.js';
import { lateAfterMs } from './load/load-plan.js';
import type { Measured, OpenLoop } from './load/measure.js';
import { type Found, formatNumber, formatRate, type Row, type Target } from './row.js';
import type { Column } from './world/bench-world.js';

export interface Line {
  readonly name: string;
  readonly title: string;
  /** Absent for the hops, which belong to both columns. */
  readonly column?: Column;
  /** The figure to compare with the target, with its unit. */
  readonly measured?: { readonly value: number; readonly text: string };
  readonly perSecond?: number;
  /** Milliseconds. */
  readonly p50?: number;
  readonly p99?: number;
  /** {@link cpuMs} as a multiple of the bare hop's in the same turns. */
  readonly hops?: number;
  /** The least that {@link hops} can be, and {@link hops} as a multiple of it. */
  readonly floor?: number;
  readonly aboveFloor?: number;
  readonly targetText?: string;
  /** Milliseconds of processor time: the total and the time of each part. */
  readonly cpuMs?: number;
  readonly cpu?: CpuTimes;
  readonly verdict: 'ok' | 'missed' | 'failed' | '';
  readonly notes: readonly string[];
  readonly problem?: string;
}

const meets = (target: Target, value: number): boolean =>
  'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
const targetText = (target: Target): string =>
  'atLeast' in target
    ? `≥ ${formatNumber(target.unit, target.atLeast)}`
    : `≤ ${formatNumber(target.unit, target.atMost)}`;

/** Compares a row's result with its target and with the hops. If `hops` is missing, the row could not be measured. */
export const makeLine = (
  { name, title, targets, floor }: Row,
  column: Column,
  { value, notes = [], problem, cpu, cpuOf = 'a request', openLoop = [], ...found }: Found,
  hopResults?: HopResults,
): Line => {
  const target = targets[column];
  if (target === undefined) throw new Error(`${name} has no target in the column ${column}`);
  const hops = cpu && hopResults && inHops(cpu, hopResults);
  return {
    ...found,
    hops,
    floor,
    aboveFloor: hops && floor && hops / floor,
    name,
    title,
    column,
    measured: { value, text: formatNumber(target.unit, value) },
    targetText: targetText(target),
    verdict: problem === undefined ? (meets(target, value) ? 'ok' : 'missed') : 'failed',
    cpuMs: cpu && sumCpu(cpu),
    cpu,
    notes: [
      ...(cpu === undefined ? [] : [`CPU ms ${cpuOf}: ${listCpu(cpu)}`]),
      ...openLoop.map(describeOpenLoop),
      ...notes,
    ],
    problem,
  };
};

/** Returns the processor time as a multiple of the bare hop's. Not a number where the system reports no times. */
export const inHops = (cpu: CpuTimes, { bare }: HopResults): number => sumCpu(cpu) / sumCpu(bare.cpu);

const describeOpenLoop = ({ share, p50, p99, p999, late, answered }: OpenLoop): string =>
  `at ${Math.round(share * 100)} % of that rate, ms from when a request was due: p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, p99.9 ${p999.toFixed(1)}; ${late} of ${answered} sent more than ${lateAfterMs} ms late`;

/** Returns the median and range of a hop over all its turns in the run. `sorted`: slowest first. */
export const hopLine = (name: HopName, sorted: readonly Measured[]): Line => {
  const [slowest, middle, fastest] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  if (slowest === undefined || middle === undefined || fastest === undefined)
    throw new Error('the hop was not measured');
  const { perSecond, p50, p99, cpu } = middle;
  return {
    name: `${name}-hop`,
    title: `${name} hop (${formatRate(slowest.perSecond)} to ${formatRate(fastest.perSecond)})`,
    perSecond,
    p50,
    p99,
    cpu,
    cpuMs: sumCpu(cpu),
    verdict: '',
    notes: [`CPU ms a request: ${listCpu(cpu)}`],
  };
};

/** Summarises a row in a few words. */
export const inWords = ({ verdict, measured, perSecond, cpuMs, problem }: Line): string =>
  problem === undefined
    ? [
        `${verdict}: ${measured?.text}`,
        ...(perSecond === undefined ? [] : [`${formatRate(perSecond)}/s`]),
        ...(cpuMs === undefined ? [] : [`${cpuMs.toFixed(2)} CPU ms`]),
      ].join(', ')
    : `${verdict}: ${problem}`;

const digits = (count: number) => (value: number | undefined) => value?.toFixed(count) ?? '';

/** The columns of the table with their headings. */
const cells: readonly (readonly [heading: string, cell: (line: Line) => string])[] = [
  ['', ({ title }) => title],
  ['column', ({ column }) => column ?? ''],
  ['per second', ({ perSecond }) => (perSecond === undefined ? '' : formatRate(perSecond))],
  ['p50 ms', ({ p50 }) => digits(1)(p50)],
  ['p99 ms', ({ p99 }) => digits(1)(p99)],
  ['CPU ms', ({ cpuMs }) => digits(2)(cpuMs)],
  ['hops', ({ hops }) => digits(1)(hops)],
  ['floor', ({ floor }) => digits(1)(floor)],
  ['above it', ({ aboveFloor }) => (aboveFloor === undefined ? '' : formatNumber('×', aboveFloor))],
  ['measured', ({ measured }) => measured?.text ?? ''],
  ['target', ({ targetText: text }) => text ?? ''],
  ['', ({ verdict }) => verdict],
];

/**
 * Renders the printed table: text aligned left, figures aligned right, and the notes below. The lines of a row for
 * both columns are next to each other, `sandbox` first.
 */
export const renderTable = (measured: readonly Line[]): string => {
  const lines = [...Map.groupBy(measured, ({ name }) => name).values()].flat();
  const rows = [
    cells.map(([heading]) => heading),
    ...lines.map((line) => cells.map(([, cell]) => cell(line))),
  ];
  const widths = cells.map((_cell, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  const isText = (at: number): boolean => at < 2 || at === cells.length - 1;
  const text = rows.map((row) =>
    row
      .map((cell, at) => (isText(at) ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  const below = (of: (line: Line) => readonly string[]): string[] =>
    lines.flatMap((line) =>
      of(line).map((note) => `${line.title}${line.column === 'production' ? ', production' : ''}: ${note}`),
    );
  return [
    ...text,
    ...below(({ problem }) => (problem === undefined ? [] : [problem])),
    '',
    ...below(({ notes }) => notes),
  ].join('\n');
};
