import { serviceNames } from '@xs2a/sandbox/services/service-table';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { connections } from '../hops/hops.js';
import { measure, problemOf } from '../load/measure.js';
import { readKept, readLive, readResident } from '../load/memory.js';
import { type FigureRow, inWorld } from '../row.js';
import type { BenchWorld } from '../world/bench-world.js';
import { initiateMany, postPayments, readStatus } from './payment-rows.js';

const collecting = (folder: string): string => {
  const preloaded = pathToFileURL(join(import.meta.dirname, '../load/collect-on-signal.js'));
  preloaded.searchParams.set('into', folder);
  return `--expose-gc --import=${preloaded.href}`;
};
const few = 10_000;
const many = 500_000;
/** How much a process may grow between these two, after a full collection. */
const mostGrowth = 1.1;
const restMs = 10_000;
const maxSeconds = 3600;
const readPayments = 1000;

/**
 * Sends POST payment and GET status in equal numbers, because one stores data and the other does not. Returns the
 * problem, or undefined.
 */
const makeRequests = async (world: BenchWorld, requests: number): Promise<string | undefined> => {
  const status = async () => readStatus(world, await initiateMany(world, readPayments));
  const problems: (string | undefined)[] = [];
  for (const prepare of [async () => postPayments(world), status]) {
    const times = { connections, warmUpSeconds: 1, seconds: maxSeconds, max: Math.ceil(requests / 2) };
    const plan = { ...world.entrance, ...times, ...(await prepare()) };
    problems.push(problemOf(await measure(plan, world.parts)));
  }
  return problems.find((problem) => problem !== undefined);
};

/** The megabytes of a part, 10 s after the last request. */
interface Size {
  readonly name: string;
  /** As measured. */
  readonly held: number;
  /** For services, measured after a full collection. */
  readonly needed: number;
  /** The megabytes of live objects. */
  readonly live: number;
}

/**
 * V8 keeps garbage until its heap reaches a preferred size, and PostgreSQL's buffers fill up. Therefore only
 * memory measured after a full collection shows what is retained. A leak also increases the live objects;
 * fragmentation does not.
 */
const readSizes = async ({ parts, sandbox }: BenchWorld, folder: string): Promise<readonly Size[]> => {
  await rest(restMs);
  const held = parts.map(({ pid }) => readResident(pid));
  for (const name of serviceNames) process.kill(sandbox.services[name].pid, 'SIGUSR2');
  await rest(restMs);
  return parts.map(({ name, pid }, index) => ({
    name,
    held: held[index] ?? 0,
    needed: readKept(pid),
    live: readLive(folder, pid),
  }));
};

/** The name of the process that grew most, and by how much. */
const growthOf = (
  sizes: readonly { readonly last: Size; readonly first: Size }[],
): { readonly name: string; readonly times: number } =>
  sizes
    .map(({ last, first }) => ({ name: last.name, times: last.needed / first.needed }))
    .reduce((most, one) => (one.times > most.times ? one : most), { name: 'none', times: 0 });

export const memoryRow: FigureRow = {
  name: 'memory',
  title: 'memory of all parts after 500,000 requests',
  targets: { sandbox: { atMost: 1.1, unit: 'GB' } },
  measure: inWorld(
    async (world, { folder, requests = many }) => {
      const problemBefore = await makeRequests(world, few);
      const before = await readSizes(world, folder);
      const problem = await makeRequests(world, requests - few);
      const sizes = (await readSizes(world, folder)).map((last, index) => ({
        last,
        first: before[index] ?? last,
      }));
      const describe = (of: 'held' | 'needed' | 'live'): string =>
        sizes
          .filter(({ last }) => last[of] > 0)
          .map(({ first, last }) => `${last.name} ${first[of].toFixed(0)} → ${last[of].toFixed(0)}`)
          .join(', ');
      const { name, times } = growthOf(sizes);
      const grew = `${name} grew ×${times.toFixed(2)} from ${few} to ${requests} requests`;
      return {
        value: sizes.reduce((sum, { last }) => sum + last.held, 0) / 1000,
        notes: [
          `MB after ${few} and after ${requests} requests: ${describe('held')}`,
          `services after a full collection, PostgreSQL without its buffers: ${describe('needed')}; ${grew}`,
          `MB of that in V8's live objects and buffers: ${describe('live')}`,
        ],
        problem: problemBefore ?? problem ?? (times > mostGrowth ? grew : undefined),
      };
    },
    ({ folder }) => ({ nodeOptions: collecting(folder) }),
  ),
};
