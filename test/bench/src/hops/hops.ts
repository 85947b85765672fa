import { type LoadPlan, wireRequest } from '../load/load-plan.js';
import type { Measured } from '../load/measure.js';
import type { Part } from '../load/cpu-time.js';
import type { Hop, HopName } from './hop.js';
import { inTurns, type Turn } from './turns.js';

/** The number of concurrent connections, both for request rows and for the hops. */
export const connections = 32;

/** The results of both hops in the turns of one row. */
export type HopResults = Readonly<Record<HopName, Measured>>;

interface Times {
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

/** Measures both hops repeatedly alongside the rows, because a shared machine's speed varies. */
export class Hops {
  private readonly results: HopResults[] = [];

  constructor(
    private readonly hops: Readonly<Record<HopName, Hop>>,
    private readonly times: Times,
  ) {}

  /** Measures only the hops, in turns. */
  async measure(): Promise<HopResults> {
    const turns = [this.makeTurn('bare'), this.makeTurn('transport')];
    const [bare, transport] = await inTurns(turns, Math.max(2, Math.ceil(this.times.seconds / 2)));
    return this.noted(bare, transport);
  }

  /**
   * Runs a plan and both hops in turns, so that all three run under the same conditions. The plan's latencies are
   * then measured at these shares of its rate.
   */
  async inTurnsWith(
    plan: LoadPlan,
    parts: readonly Part[],
    openLoop: readonly number[],
  ): Promise<readonly [row: Measured, hops: HopResults]> {
    const turns = [this.makeTurn('bare'), this.makeTurn('transport'), { plan, parts, openLoop }];
    const [bare, transport, row] = await inTurns(turns, plan.seconds);
    if (row === undefined) throw new Error('the row was not measured');
    return [row, this.noted(bare, transport)];
  }

  /** Returns the last results, and measures them first if there are none. */
  async last(): Promise<HopResults> {
    return this.results.at(-1) ?? this.measure();
  }

  /** Returns all results of a hop, slowest first. */
  sorted(name: HopName): readonly Measured[] {
    return this.results.map((results) => results[name]).toSorted((a, b) => a.perSecond - b.perSecond);
  }

  private noted(bare: Measured | undefined, transport: Measured | undefined): HopResults {
    if (bare === undefined || transport === undefined) throw new Error('the hops were not measured');
    const results = { bare, transport };
    this.results.push(results);
    return results;
  }

  private makeTurn(name: HopName): Turn {
    const { port, parts } = this.hops[name];
    const { seconds, warmUpSeconds } = this.times;
    const plan = {
      port,
      connections,
      seconds,
      // The hops have little code and keep running between measurements, so a short warm-up is enough.
      warmUpSeconds: this.results.length === 0 ? warmUpSeconds : 1,
      requests: [wireRequest('GET', '/hop', {})],
      expect: 200,
    };
    return { plan, parts };
  }
}
