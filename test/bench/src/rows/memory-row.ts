import { serviceNames } from '@xs2a/sandbox/services/service-table';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BenchWorld } from '../world/bench-world.js';
import type { FigureOptions, FigureRow, Found } from '../figure.js';
import { connections } from '../hops/hops.js';
import { measure } from '../load/measure.js';
import { keptBy, liveIn, readResidentBytes } from '../load/memory.js';
import { postPayments, readStatus } from './payment-rows.js';

const collecting = (folder: string): string => {
  const preloaded = pathToFileURL(join(import.meta.dirname, '../load/collect-on-signal.js'));
  preloaded.searchParams.set('into', folder);
  return `--expose-gc --import=${preloaded.href}`;
};
const few = 10_000;
const restMs = 10_000;
const maxSeconds = 3600;

const rest = async (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, restMs);
  });

const readStatuses = async (world: BenchWorld) => readStatus(world, 1000);

/** Half POST payment, half GET status: one that stores data and one that does not. */
const makeRequests = async (world: BenchWorld, requests: number): Promise<number> => {
  let unexpected = 0;
  for (const prepare of [postPayments, readStatuses]) {
    const prepared = await prepare(world);
    const { unexpected: wrong } = await measure(
      {
        ...world.entrance,
        connections,
        warmUpSeconds: 1,
        seconds: maxSeconds,
        once: false,
        max: Math.ceil(requests / 2),
        ...prepared,
      },
      world.parts,
    );
    unexpected += wrong;
  }
  return unexpected;
};

/**
 * Megabytes of each part, 10 s after the last request: as measured; for services also after a full collection, and the share of
 * live objects. V8 keeps garbage until its heap reaches a preferred size, and PostgreSQL's buffers fill up, so only
 * the second figure shows what is kept. A leak also appears in the third figure; fragmentation does not.
 */
const readSizes = async (world: BenchWorld, folder: string): Promise<readonly Size[]> => {
  await rest();
  const before = world.parts.map(({ pid }) => readResidentBytes(pid));
  for (const name of serviceNames) process.kill(world.sandbox.services[name].pid, 'SIGUSR2');
  await rest();
  return world.parts.map(({ pid }, index) => ({
    needed: keptBy(pid),
    held: before[index] ?? 0,
    live: liveIn(folder, pid),
  }));
};

interface Size {
  readonly needed: number;
  readonly held: number;
  readonly live: number;
}

const memory = async (options: FigureOptions): Promise<Found> => {
  const { folder, requests = 100_000 } = options;
  const world = await BenchWorld.start({ ...options, nodeOptions: collecting(folder) });
  try {
    let unexpected = await makeRequests(world, few);
    const before = await readSizes(world, folder);
    unexpected += await makeRequests(world, requests - few);
    const after = await readSizes(world, folder);
    const describeGrowth = (of: keyof Size): string =>
      world.parts
        .map(({ name }, index) => ({ name, first: before[index]?.[of] ?? 0, last: after[index]?.[of] ?? 0 }))
        .filter(({ last }) => last > 0)
        .map(({ name, first, last }) => `${name} ${first.toFixed(0)} → ${last.toFixed(0)}`)
        .join(', ');
    const maxUnexpected = Math.max(
      ...after.map(({ needed }, index) => needed / (before[index]?.needed ?? Number.NaN)),
    );
    return {
      value: maxUnexpected,
      ratio: maxUnexpected,
      notes: [
        `MB after ${few} and after ${requests} requests, services after a full collection, PostgreSQL without its buffers: ${describeGrowth('needed')}`,
        `MB of that in V8's live objects and buffers: ${describeGrowth('live')}`,
        `MB as V8 held them before it: ${describeGrowth('held')}`,
      ],
      ...(unexpected > 0 ? { problem: `${unexpected} unexpected answers` } : {}),
    };
  } finally {
    await world.stop();
  }
};

export const memoryRow: FigureRow = {
  name: 'memory',
  title: 'memory after many requests to after 10,000, the process that grew most',
  targets: { sandbox: { atMost: 1.1, unit: '×' } },
  measure: memory,
};
