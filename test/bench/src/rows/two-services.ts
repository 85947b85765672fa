import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { connections } from '../hops/hops.js';
import { inTurns } from '../hops/turns.js';
import { listCpu, sumCpu } from '../load/cpu-time.js';
import { problemOf } from '../load/measure.js';
import { type Found, formatRate, type Prepared, type RowOptions } from '../row.js';
import { BenchWorld, type WorldOptions } from '../world/bench-world.js';

/** A difference between two services, and the requests that show what it costs. */
export interface Difference {
  readonly without: Partial<WorldOptions>;
  readonly on: Partial<WorldOptions>;
  readonly prepare: (world: BenchWorld) => Promise<Prepared>;
}

export interface Compared {
  readonly found: Found & { readonly notes: readonly string[] };
  /** The requests that the service with the difference answered. */
  readonly sent: number;
}

/** Sends the same kind of requests to two services in turns, one with something switched on and one without. */
export const compareServices = async (
  options: RowOptions,
  { without, on, prepare }: Difference,
): Promise<Compared> => {
  const worlds: BenchWorld[] = [];
  const start = async (name: string, own: Partial<WorldOptions>): Promise<BenchWorld> => {
    const folder = join(options.folder, name);
    mkdirSync(folder);
    const world = await BenchWorld.start({ ...options, folder, ...own });
    worlds.push(world);
    return world;
  };
  const { seconds, warmUpSeconds } = options;
  const turn = async (world: BenchWorld) => ({
    plan: { ...world.entrance, connections, seconds, warmUpSeconds, ...(await prepare(world)) },
    parts: world.parts,
  });
  try {
    const turns = [await turn(await start('off', without)), await turn(await start('on', on))];
    const [off, measured] = await inTurns(turns, seconds);
    if (off === undefined || measured === undefined) throw new Error('the rows were not measured');
    const value = sumCpu(measured.cpu) / sumCpu(off.cpu);
    const { perSecond, p50, p99, cpu, sent } = measured;
    const notes = [
      `without it: ${formatRate(off.perSecond)} a second, ${sumCpu(off.cpu).toFixed(2)} CPU ms a request: ${listCpu(off.cpu)}`,
    ];
    const problem = problemOf(off, measured);
    return { found: { value, perSecond, p50, p99, cpu, notes, problem }, sent };
  } finally {
    for (const world of worlds) await world.stop();
  }
};
