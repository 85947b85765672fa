import type { CpuTimes } from './load/cpu-time.js';
import type { OpenLoop } from './load/measure.js';
import type { LoadPlan } from './load/load-plan.js';
import { BenchWorld, type Column, type WorldOptions } from './world/bench-world.js';

/** The limit for a figure, in the figure's unit. */
export type Target =
  | { readonly atLeast: number; readonly unit: string }
  | { readonly atMost: number; readonly unit: string };

/** What a row measured. */
export interface Found {
  /** The measured value, in the target's unit. */
  readonly value: number;
  readonly perSecond?: number;
  /** Milliseconds. */
  readonly p50?: number;
  readonly p99?: number;
  /** The latencies at given shares of `perSecond`. */
  readonly openLoop?: readonly OpenLoop[];
  readonly cpu?: CpuTimes;
  /** The unit to which {@link cpu} refers; a request if absent. */
  readonly cpuOf?: string;
  /** Notes that explain the figure. */
  readonly notes?: readonly string[];
  /** Why the figure is invalid; set if the work to be measured was not done. */
  readonly problem?: string | undefined;
}

/** The command line options that apply to every row. */
export interface RowSettings {
  /** Measured seconds per row, without its warm-up. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** The folder in which every service writes a CPU profile when it exits. If absent, no profiles are written. */
  readonly profileInto?: string | undefined;
  /** The number of events, payments or requests for the figures. If absent, each figure uses its default. */
  readonly events?: number | undefined;
  readonly payments?: number | undefined;
  readonly requests?: number | undefined;
  /**
   * The folder in which the row `history` keeps its services with their loaded data for later runs. If absent,
   * nothing is kept.
   */
  readonly keepIn?: string | undefined;
  /** Whether the row `history` only loads its events. */
  readonly onlyLoad: boolean;
}

export interface RowOptions extends RowSettings {
  /** A folder for this row, removed afterwards. */
  readonly folder: string;
  readonly column: Column;
  readonly say: (text: string) => void;
}

/** A row of the benchmark. */
export interface Row {
  readonly name: string;
  readonly title: string;
  /** The limit in each column. The row is measured only in these columns. */
  readonly targets: Readonly<Partial<Record<Column, Target>>>;
  /**
   * The least processor time that the work can take, as a multiple of the bare hop's: the sum of its measured parts
   * (docs/benchmarks.md). Absent if no sum was made.
   */
  readonly floor?: number;
}

export type Prepared = Pick<LoadPlan, 'requests' | 'expect'> & Partial<Pick<LoadPlan, 'once'>>;

/**
 * A row that measures the processor time of a request as a multiple of the bare hop's. These rows share a world and
 * take turns with the hops.
 */
export interface RequestRow extends Row {
  readonly floor: number;
  /** Prepares what the requests need. `max`: the maximum number of requests. */
  readonly prepare: (world: BenchWorld, max: number) => Promise<Prepared>;
}

/** A row for any other figure, with its own world and its own method. */
export interface FigureRow extends Row {
  readonly measure: (options: RowOptions) => Promise<Found>;
}

/** The targets for a request: its processor time in each column is at most this multiple of the bare hop's. */
export const hopsAtMost = (most: Readonly<Partial<Record<Column, number>>>): Row['targets'] =>
  Object.fromEntries(Object.entries(most).map(([column, atMost]) => [column, { atMost, unit: 'hops' }]));

/** Runs a measurement in its own world. */
export const inWorld =
  (
    measure: (world: BenchWorld, options: RowOptions) => Promise<Found>,
    more: (options: RowOptions) => Partial<WorldOptions> = () => ({}),
  ): FigureRow['measure'] =>
  async (options) => {
    const world = await BenchWorld.start({ ...options, ...more(options) });
    try {
      return await measure(world, options);
    } finally {
      await world.stop();
    }
  };

/** Formats a number with its unit: `1,830/s`, `9.4 s`, `1.05×`. */
export const formatNumber = (unit: string, value: number): string => {
  const digits = value >= 100 ? 0 : 2;
  const number = value.toLocaleString('en-US', { maximumFractionDigits: digits });
  return /^[/×%]/.test(unit) ? `${number}${unit}` : `${number} ${unit}`;
};

/** Formats a rate without its unit: `1,830`. */
export const formatRate = (perSecond: number): string => Math.round(perSecond).toLocaleString('en-US');
