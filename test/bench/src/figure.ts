import type { Measured } from './load/measure.js';
import type { Column } from './world/bench-world.js';

/** The limit of a figure, in the figure's unit. */
export type Target =
  | { readonly atLeast: number; readonly unit: string }
  | { readonly atMost: number; readonly unit: string };

/** The result of a figure row. */
export interface Found {
  /** In the target's unit. */
  readonly value: number;
  readonly perSecond?: number;
  /** Milliseconds. */
  readonly p50?: number;
  readonly p99?: number;
  /** To the row's own baseline; absent: `perSecond` to the bare hop of the same run. */
  readonly ratio?: number;
  /** Notes that explain the figure. */
  readonly notes: readonly string[];
  /** The measured work was not done, so no figure counts. */
  readonly problem?: string;
}

export interface FigureOptions {
  /** A folder for this row, removed afterwards. */
  readonly folder: string;
  readonly column: Column;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly profileInto?: string;
  /** The number of events, payments or requests; absent: the row's default. */
  readonly events?: number;
  readonly payments?: number;
  readonly requests?: number;
  /** See the command line's `--keep` and `--only-load`. */
  readonly keepIn?: string;
  readonly onlyLoad?: boolean;
  readonly say: (text: string) => void;
}

/** A line of the benchmark that is not the rate of one request: it brings its own sandbox and its own method. */
export interface FigureRow {
  readonly name: string;
  readonly title: string;
  /** The limit in each column. The figure is measured in these columns. */
  readonly targets: Readonly<Partial<Record<Column, Target>>>;
  readonly measure: (options: FigureOptions) => Promise<Found>;
}

export const meets = (target: Target, value: number): boolean =>
  'atLeast' in target ? value >= target.atLeast : value <= target.atMost;

/** A number with its unit: `1,830/s`, `9.4 s`, `1.05×`. */
export const formatNumber = (unit: string, value: number): string => {
  const digits = value >= 100 ? 0 : 2;
  const number = value.toLocaleString('en-US', { maximumFractionDigits: digits });
  return /^[/×%]/.test(unit) ? `${number}${unit}` : `${number} ${unit}`;
};

export const targetText = (target: Target): string =>
  'atLeast' in target
    ? `≥ ${formatNumber(target.unit, target.atLeast)}`
    : `≤ ${formatNumber(target.unit, target.atMost)}`;

/** The processor time of a run as a note. */
export const cpuNote = (cpu: Measured['cpu'], of: string): string =>
  `CPU ms ${of}: ${cpu.map(([name, ms]) => `${name} ${ms.toFixed(2)}`).join(', ')}`;
