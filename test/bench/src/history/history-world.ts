import type { EventResource } from '@xs2a/contracts/published-event';
import { readProfile } from '@xs2a/runtime/profile-file';
import { root } from '@xs2a/sandbox/layout';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { FigureOptions } from '../figure.js';
import { keepCommitTimes } from '../load/commit-times.js';
import { BenchWorld } from '../world/bench-world.js';
import { withClient } from '../world/with-client.js';
import { type LoadedHistory, loadHistory } from './load-history.js';
import { waitForReaders } from './log-readers.js';

const services = ['payments', 'consents'] as const satisfies readonly EventResource[];

/** A service with a history. */
export interface HistoryWorld extends LoadedHistory {
  readonly name: 'few' | 'many';
  readonly world: BenchWorld;
}

/** The file that describes the data of a kept service. Without it, loading did not finish. */
const loadedFile = 'loaded.json';

/**
 * Starts a service with a history, and waits until all readers of the logs have caught up. The history is loaded unless
 * the folder of `--keep` already has the service.
 */
export const startHistoryWorld = async (
  options: FigureOptions,
  plan: { readonly name: HistoryWorld['name']; readonly events: number; readonly days: number },
): Promise<HistoryWorld> => {
  const { name } = plan;
  const folder = join(resolve(options.keepIn ?? options.folder), name);
  const kept = join(folder, loadedFile);
  if (existsSync(kept)) {
    const loaded = JSON.parse(readFileSync(kept, 'utf8')) as LoadedHistory;
    options.say(`  ${name}: ${loaded.events} events were loaded before`);
    const world = await BenchWorld.start({ ...options, folder, isKept: true });
    await waitForReaders(world);
    return { name, world, ...loaded };
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const loaded = await loadWorld(options, folder, plan);
  if (options.keepIn !== undefined) {
    const { events, payments, ownPayments, seconds } = loaded;
    // Written under another name first, so that the file is never incomplete.
    writeFileSync(`${kept}.new`, JSON.stringify({ events, payments, ownPayments, seconds }));
    renameSync(`${kept}.new`, kept);
  }
  return loaded;
};

const loadWorld = async (
  options: FigureOptions,
  folder: string,
  {
    name,
    events,
    days,
  }: { readonly name: HistoryWorld['name']; readonly events: number; readonly days: number },
): Promise<HistoryWorld> => {
  const { say } = options;
  const world = await BenchWorld.start({ ...options, folder });
  try {
    const { sandbox, clientId } = world;
    const profile = readProfile(join(root, 'deploy/profiles/sandbox.json'));
    for (const service of services) await sandbox.services[service].stop();
    await keepCommitTimes(world);
    const onProgress = (done: number): void => say(`  ${name}: ${done} events are in place`);
    const loaded = await loadHistory(sandbox, { events, days, profile, clientId, onProgress });
    say(`  ${name}: ${loaded.events} events loaded in ${loaded.seconds.toFixed(0)} s`);
    await withClient(sandbox.databaseUrl('postgres'), async (client) => client.query('VACUUM (ANALYZE)'));
    for (const service of services) await sandbox.services[service].start();
    await waitForReaders(world);
    return { name, world, ...loaded };
  } catch (error) {
    await world.stop();
    throw error;
  }
};
