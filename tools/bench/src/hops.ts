import type { BareHop } from './bare-hop.js';
import { wireRequest } from './load-plan.js';
import { measure, type Measured } from './measure.js';
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

/** Measures the bare hop between the rows again and again, since a shared machine is not the same all the time. */
export class Hops {
  private readonly results: Measured[] = [];

  constructor(
    private readonly bareHop: BareHop,
    private readonly options: { readonly seconds: number; readonly warmUpSeconds: number },
  ) {}

  async measure(): Promise<Measured> {
    const { seconds, warmUpSeconds } = this.options;
    const result = await measure(
      {
        ...prepared,
        port: this.bareHop.port,
        connections,
        seconds: Math.max(2, Math.ceil(seconds / 2)),
        warmUpSeconds: this.results.length === 0 ? warmUpSeconds : 1,
        once: false,
      },
      this.bareHop.parts,
    );
    this.results.push(result);
    return result;
  }

  /** The last one; measured now when there is none. */
  async last(): Promise<Measured> {
    return this.results.at(-1) ?? this.measure();
  }

  /** The middle one of all, and from where to where they went. */
  get line(): Line {
    const median = this.median;
    return lineOf({ ...baseline, title: `bare hop (${this.range})` }, median, median.perSecond);
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
