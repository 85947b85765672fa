import type { EventResource } from '@xs2a/contracts/published-event';
import { readProfile } from '@xs2a/runtime/profile-file';
import { root } from '@xs2a/sandbox/layout';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
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

/** Starts a service, puts the history into it, and waits until everything that follows the logs is at their end. */
export const startHistoryWorld = async (
  options: FigureOptions,
  {
    name,
    events,
    days,
  }: { readonly name: HistoryWorld['name']; readonly events: number; readonly days: number },
): Promise<HistoryWorld> => {
  const { say } = options;
  const folder = join(options.folder, name);
  mkdirSync(folder);
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
