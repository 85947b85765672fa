import type { EventResource } from '@xs2a/contracts/event-streams';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { keepCommitTimes } from '../load/commit-times.js';
import type { RowOptions } from '../row.js';
import { BenchWorld } from '../world/bench-world.js';
import { type HistoryPlan, type LoadedHistory, loadHistory } from './load-history.js';
import { waitForReaders } from './log-readers.js';

const services = ['payments', 'consents'] as const satisfies readonly EventResource[];

/** A service with a history. */
export interface HistoryWorld extends LoadedHistory {
  readonly world: BenchWorld;
}

/** The file that describes the data of a service that is kept between runs. If it is missing, loading did not complete. */
const loadedFile = 'loaded.json';

/**
 * Starts a service with a history, and waits until all log readers have caught up. The history is loaded unless
 * the `--keep` folder already contains the service.
 */
export const startHistoryWorld = async (
  options: RowOptions,
  name: string,
  plan: HistoryPlan,
): Promise<HistoryWorld> => {
  const { keepIn, say } = options;
  const folder = join(resolve(keepIn ?? options.folder), name);
  const kept = join(folder, loadedFile);
  const isKept = existsSync(kept);
  if (!isKept) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  const world = await BenchWorld.start({ ...options, folder, isKept });
  const load = async (): Promise<LoadedHistory> => {
    if (isKept) return JSON.parse(readFileSync(kept, 'utf8')) as LoadedHistory;
    for (const service of services) await world.sandbox.services[service].stop();
    await keepCommitTimes(world);
    const loaded = await loadHistory(world, plan, (done) => say(`  ${name}: ${done} events are in place`));
    await world.database.query('VACUUM (ANALYZE)');
    for (const service of services) await world.sandbox.services[service].start();
    return loaded;
  };
  try {
    const loaded = await load();
    say(`  ${name}: ${loaded.events} events loaded in ${loaded.seconds.toFixed(0)} s`);
    await waitForReaders(world);
    if (keepIn !== undefined && !isKept) {
      // Written under another name first, so that whenever the file exists, it is complete.
      writeFileSync(`${kept}.new`, JSON.stringify(loaded));
      renameSync(`${kept}.new`, kept);
    }
    return { world, ...loaded };
  } catch (error) {
    await world.stop();
    throw error;
  }
};
