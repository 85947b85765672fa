import type { BareHop } from './bare-hop.js';
import type { BenchWorld } from './bench-world.js';
import type { Part } from './cpu-time.js';
import type { LoadPlan } from './load-plan.js';

/** `port` and `parts`: of whom it asks, when that is not the sandbox. */
export type Prepared = Pick<LoadPlan, 'requests' | 'expect'> &
  Partial<Pick<LoadPlan, 'once' | 'port'>> & { readonly parts?: readonly Part[] };

/** One line of the benchmark: what is asked of the service, and the figure that quality asks for. */
export interface Row {
  readonly name: string;
  readonly title: string;
  /** Least ratio to the bare hop; absent: none is set. */
  readonly target?: number;
  /** Only when it is asked for: by `--row` or `--all`. */
  readonly long?: boolean;
  /** Puts in place what the requests need; `most` is how many can be sent at the very most. */
  readonly prepare: (world: BenchWorld, most: number, bareHop: BareHop) => Promise<Prepared>;
}
