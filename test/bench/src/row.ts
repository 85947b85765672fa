import type { LoadPlan } from './load/load-plan.js';
import type { BenchWorld, Column } from './world/bench-world.js';

export type Prepared = Pick<LoadPlan, 'requests' | 'expect'> & Partial<Pick<LoadPlan, 'once'>>;

/** One line of the benchmark: what is asked of the service, and the figures that quality asks for. */
export interface Row {
  readonly name: string;
  readonly title: string;
  /** Least ratio to the bare hop, by column. A row is measured in the columns that it names. */
  readonly targets: Readonly<Partial<Record<Column, number | 'none'>>>;
  /** Puts in place what the requests need; `most` is how many can be sent at the very most. */
  readonly prepare: (world: BenchWorld, max: number) => Promise<Prepared>;
}
