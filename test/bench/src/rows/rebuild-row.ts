import { type HistoryWorld, startHistoryWorld } from '../history/history-world.js';
import { runLoad } from '@xs2a/test-support/load';
import { type Measured, measure, problemOf } from '../load/measure.js';
import type { FigureRow, Found } from '../row.js';
import { projections, rebuild } from '../world/operator.js';
import { readStatus } from './payment-rows.js';

const days = 365;
const readsPerSecond = 200;

/** Sends GET status at a steady pace until the work is done. */
const whileReading = async (
  { world, ownPayments }: HistoryWorld,
  work: () => Promise<void>,
): Promise<readonly Measured[]> => {
  const times = { connections: 8, warmUpSeconds: 1, seconds: 2, pace: readsPerSecond };
  const plan = { ...world.entrance, ...times, ...(await readStatus(world, ownPayments)) };
  const reads: Measured[] = [];
  const over = new AbortController();
  const read = async (): Promise<unknown> => reads.push(await measure(plan, world.parts));
  await Promise.all([runLoad(read, { stop: over.signal }), work().finally(() => over.abort())]);
  return reads;
};

const rebuildAll = async (history: HistoryWorld): Promise<Found> => {
  const rates: number[] = [];
  const notes: string[] = [];
  const reads = await whileReading(history, async () => {
    for (const name of projections) {
      const { events, seconds } = await rebuild(history.world, name);
      rates.push(events / seconds);
      notes.push(`${name}: ${events} events in ${seconds.toFixed(1)} s`);
    }
  });
  const p99 = Math.max(...reads.map((read) => read.p99));
  const slowest = Math.min(...rates);
  return {
    value: slowest,
    perSecond: slowest,
    notes: [...notes, `meanwhile GET status at ${readsPerSecond}/s: p99 ${p99.toFixed(0)} ms`],
    problem: problemOf(...reads),
  };
};

export const rebuildRow: FigureRow = {
  name: 'rebuild',
  title: 'rebuild of the slowest read model',
  targets: { sandbox: { atLeast: 150_000, unit: '/s' } },
  measure: async (options) => {
    const plan = { events: options.events ?? 1_000_000, days };
    const history = await startHistoryWorld({ ...options, keepIn: undefined }, 'rebuild', plan);
    try {
      return await rebuildAll(history);
    } finally {
      await history.world.stop();
    }
  },
};
