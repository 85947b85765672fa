import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Place, type Release, SideBySide } from './side-by-side.js';
import { UpgradeLoad } from './upgrade-load.js';

export interface TwoReleasesOptions {
  /** The checkout of the other release, built. */
  readonly other: string;
  /** Seconds that the load goes on after each step. */
  readonly seconds: number;
  readonly payers?: number;
  /** The folder that keeps data and logs; absent: they are removed. */
  readonly keepIn?: string | undefined;
  readonly say?: (line: string) => void;
}

export interface TwoReleasesReport {
  readonly steps: readonly { readonly step: string; readonly requests: number; readonly failed: number }[];
  readonly payments: number;
  readonly failures: readonly string[];
}

/** From the other release to this one and back, a process of each service at a time, and to this one again. */
const steps: readonly (readonly [step: string, place: Place, release: Release])[] = [
  ['the second processes to this release', 2, 'this'],
  ['the first processes to this release', 1, 'this'],
  ['the second processes back to the other release', 2, 'other'],
  ['the first processes back to the other release', 1, 'other'],
  ['the second processes to this release again', 2, 'this'],
  ['the first processes to this release again', 1, 'this'],
];

/**
 * Upgrades a sandbox under load, rolls it back with the newer tables, and upgrades it again. Every request counts: none is
 * repeated.
 */
export const runTwoReleases = async ({
  other,
  seconds,
  payers = 3,
  keepIn,
  say = () => undefined,
}: TwoReleasesOptions): Promise<TwoReleasesReport> => {
  const folder = keepIn ?? mkdtempSync(join(tmpdir(), 'xs2a-two-releases-'));
  const world = await SideBySide.start({ dataDir: folder, other, onProgress: say });
  try {
    const load = await UpgradeLoad.prepare(world.sandbox.baseUrl, payers);
    const done: { step: string; requests: number; failed: number }[] = [];
    let [requests, failed] = [0, 0];
    const counted = async (step: string, work: () => Promise<void>): Promise<void> => {
      await work();
      await wait(seconds * 1000);
      done.push({ step, requests: load.sent - requests, failed: load.failures.length - failed });
      [requests, failed] = [load.sent, load.failures.length];
      say(`${step}: ${done.at(-1)?.requests} requests, ${done.at(-1)?.failed} failed`);
    };
    load.start();
    await counted('all processes of the other release', async () => undefined);
    for (const [step, place, release] of steps) await counted(step, async () => world.run(place, release));
    await load.stop();
    await load.settle(60);
    return { steps: done, payments: load.payments.length, failures: load.failures };
  } finally {
    await world.stop();
    if (keepIn === undefined) rmSync(folder, { recursive: true, force: true });
  }
};
