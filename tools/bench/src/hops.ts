import type { BareHop } from './bare-hop.js';
import type { Part } from './cpu-time.js';
import { type LoadPlan, wireRequest } from './load-plan.js';
import { measure, type Measured, Measurement } from './measure.js';
import { type Line, lineOf } from './report.js';
import type { Prepared } from './row.js';

/** Connections that ask at the same time, in rows of requests and at the bare hop alike. */
export const connections = 32;

const prepared: Prepared = { requests: [wireRequest('GET', '/hop', {})], expect: 200 };
const baseline = {
  name: 'bare-hop',
  title: 'bare hop',
  prepare: async (): Promise<Prepared> => prepared,
};

/** Seconds that a row or the bare hop has before it is the other's turn. */
const turnSeconds = 2;

/** Measures the bare hop between all else again and again, since a shared machine is not the same all the time. */
export class Hops {
  private readonly results: Measured[] = [];

  constructor(
    private readonly bareHop: BareHop,
    private readonly options: { readonly seconds: number; readonly warmUpSeconds: number },
  ) {}

  async measure(): Promise<Measured> {
    const result = await measure(
      { ...this.plan, seconds: Math.max(2, Math.ceil(this.options.seconds / 2)) },
      this.bareHop.parts,
    );
    this.results.push(result);
    return result;
  }

  /** A plan and the bare hop in turns, so that both meet the same machine; answers both. */
  async inTurns(plan: LoadPlan, parts: readonly Part[]): Promise<readonly [row: Measured, hop: Measured]> {
    const row = new Measurement(plan, parts);
    const hop = new Measurement(this.plan, this.bareHop.parts);
    try {
      await hop.warmUp(this.plan.warmUpSeconds);
      await row.warmUp(plan.warmUpSeconds);
      for (let left = plan.seconds; ; left -= turnSeconds) {
        const seconds = Math.min(left, turnSeconds);
        const ofHop = await hop.turn(seconds);
        const ofRow = await row.turn(seconds);
        if (left > turnSeconds && !ofRow.exhausted) continue;
        this.results.push(ofHop);
        return [ofRow, ofHop];
      }
    } finally {
      row.end();
      hop.end();
    }
  }

  private get plan(): LoadPlan {
    const { seconds, warmUpSeconds } = this.options;
    return {
      ...prepared,
      port: this.bareHop.port,
      connections,
      seconds,
      warmUpSeconds: this.results.length === 0 ? warmUpSeconds : 1,
      once: false,
    };
  }

  /** The last one; measured now when there is none. */
  async last(): Promise<Measured> {
    return this.results.at(-1) ?? this.measure();
  }

  /** The middle one of all, and from where to where they went. */
  get line(): Line {
    const median = this.median;
    return lineOf({ ...baseline, title: `bare hop (${this.range})` }, median, median);
  }

  private get median(): Measured {
    const sorted = this.results.toSorted((a, b) => a.perSecond - b.perSecond);
    const middle = sorted[Math.floor(sorted.length / 2)];
    if (middle === undefined) throw new Error('the bare hop was not measured');
    return middle;
  }

  private get range(): string {
    const rates = this.results.map(({ perSecond }) => Math.round(perSecond));
    return `${Math.min(...rates).toLocaleString('en-US')} to ${Math.max(...rates).toLocaleString('en-US')}`;
  }
}
