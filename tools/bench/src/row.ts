import type { BenchWorld } from './bench-world.js';
import type { LoadPlan } from './load-plan.js';

export type Prepared = Pick<LoadPlan, 'requests' | 'expect'> & Partial<Pick<LoadPlan, 'once'>>;

/** One line of the benchmark: what is asked of the service, and the figure that quality asks for. */
export interface Row {
  readonly name: string;
  readonly title: string;
  /** Least ratio to the bare hop; absent: none is set. */
  readonly target?: number;
  /** Puts in place what the requests need; `most` is how many can be sent at the very most. */
  readonly prepare: (world: BenchWorld, most: number) => Promise<Prepared>;
}
