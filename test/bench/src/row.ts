import type { LoadPlan } from './load/load-plan.js';
import type { BenchWorld, Column } from './world/bench-world.js';

export type Prepared = Pick<LoadPlan, 'requests' | 'expect'> & Partial<Pick<LoadPlan, 'once'>>;

/** One line of the benchmark: a request to the service, and its targets from docs/quality.md. */
export interface Row {
  readonly name: string;
  readonly title: string;
  /** Minimum ratio to the bare hop, by column. The row is measured in these columns. */
  readonly targets: Readonly<Partial<Record<Column, number | 'none'>>>;
  /** Prepares what the requests need; `max`: the maximum number of requests. */
  readonly prepare: (world: BenchWorld, max: number) => Promise<Prepared>;
}
