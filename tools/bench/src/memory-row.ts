import { BenchWorld } from './bench-world.js';
import type { FigureOptions, FigureRow, Found } from './figure.js';
import { connections } from './hops.js';
import { measure } from './measure.js';
import { residentOf } from './memory.js';
import { postPayments, readStatus } from './payment-rows.js';

const few = 10_000;
const restMs = 10_000;
const longestSeconds = 3600;

const rest = async (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, restMs);
  });

/** Half of them POST payment, half GET status: the two that leave something behind and that do not. */
const makeRequests = async (world: BenchWorld, requests: number): Promise<number> => {
  let unexpected = 0;
  for (const prepare of [postPayments, readStatus]) {
    const prepared = await prepare(world);
    const { unexpected: wrong } = await measure(
      {
        port: world.port,
        connections,
        warmUpSeconds: 1,
        seconds: longestSeconds,
        once: false,
        most: Math.ceil(requests / 2),
        ...prepared,
      },
      world.parts,
    );
    unexpected += wrong;
  }
  await rest();
  return unexpected;
};

const memory = async (options: FigureOptions): Promise<Found> => {
  const { folder, profileInto, requests = 100_000 } = options;
  const world = await BenchWorld.start(folder, profileInto);
  const sizes = (): readonly (readonly [string, number])[] =>
    world.parts.map(({ name, pid }) => [name, residentOf(pid)]);
  try {
    let unexpected = await makeRequests(world, few);
    const before = new Map(sizes());
    unexpected += await makeRequests(world, requests - few);
    const grown = sizes().map(([name, after]) => ({ name, after, before: before.get(name) ?? 0 }));
    const most = Math.max(...grown.map(({ after, before: was }) => after / was));
    return {
      value: most,
      ratio: most,
      notes: [
        `MB in memory after ${few} and after ${requests} requests, 10 s after the last: ${grown
          .map(({ name, after, before: was }) => `${name} ${was.toFixed(0)} → ${after.toFixed(0)}`)
          .join(', ')}`,
      ],
      ...(unexpected > 0 ? { problem: `${unexpected} unexpected answers` } : {}),
    };
  } finally {
    await world.sandbox.stop();
  }
};

export const memoryRow: FigureRow = {
  name: 'memory',
  title: 'memory after many requests to after 10,000, the process that grew most',
  target: { atMost: 1.1, unit: '×' },
  long: true,
  measure: memory,
};
