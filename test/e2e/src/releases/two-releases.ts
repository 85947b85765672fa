import { makeNextRelease, migratePayments } from '@xs2a/chaos/releases/next-releases';
import { createPool } from '@xs2a/postgres/pool';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Checkouts, type Place, type Release, SideBySide } from './side-by-side.js';
import { UpgradeLoad } from './upgrade-load.js';

export interface TwoReleasesOptions {
  /** The seconds for which the load continues after each step. */
  readonly seconds: number;
  readonly payers?: number;
  /** The folder in which data and logs are kept. If absent, they are removed. */
  readonly keepIn?: string | undefined;
  readonly say?: (line: string) => void;
}

export interface TwoReleasesReport {
  readonly steps: readonly { readonly step: string; readonly requests: number; readonly failed: number }[];
  readonly payments: number;
  /** The number of stored `signed` events of each version. */
  readonly signedByVersion: Readonly<Record<number, number>>;
  readonly failures: readonly string[];
}

/**
 * From this release to the next, back, to the next again, and then to the one after it. Each step replaces one
 * process of each service.
 */
const steps: readonly (readonly [step: string, place: Place, release: Release])[] = [
  ['the second processes to the next release', 2, 'expand'],
  ['the first processes to the next release', 1, 'expand'],
  ['the second processes back to this release', 2, 'this'],
  ['the first processes back to this release', 1, 'this'],
  ['the second processes to the next release again', 2, 'expand'],
  ['the first processes to the next release again', 1, 'expand'],
  ['the second processes to the release that writes the new version', 2, 'use'],
  ['the first processes to the release that writes the new version', 1, 'use'],
];

/**
 * Upgrades a sandbox under load to the next release, rolls it back with the newer tables, upgrades it again, and
 * then upgrades it to the release after that. That release writes the event version that the next release can only
 * read. Requests are never retried, so every failed request is reported.
 */
export const runTwoReleases = async (options: TwoReleasesOptions): Promise<TwoReleasesReport> => {
  const { keepIn, say = () => undefined } = options;
  const folder = keepIn ?? mkdtempSync(join(tmpdir(), 'xs2a-two-releases-'));
  try {
    say('building the next releases');
    const checkouts = {
      expand: await makeNextRelease('expand', join(folder, 'expand')),
      use: await makeNextRelease('use', join(folder, 'use')),
    };
    const world = await SideBySide.start({ dataDir: join(folder, 'data'), checkouts, onProgress: say });
    try {
      return await upgrade(world, checkouts, options);
    } finally {
      await world.stop();
    }
  } finally {
    if (keepIn === undefined) rmSync(folder, { recursive: true, force: true });
  }
};

const upgrade = async (
  world: SideBySide,
  checkouts: Checkouts,
  { seconds, payers = 3, say = () => undefined }: TwoReleasesOptions,
): Promise<TwoReleasesReport> => {
  const { sandbox } = world;
  const load = await UpgradeLoad.prepare(sandbox.baseUrl, payers);
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
  await counted('all processes of this release', async () => undefined);
  await counted('the migration of the next release', async () =>
    migratePayments(checkouts.expand, sandbox.databaseUrl('xs2a_owner')),
  );
  for (const [step, place, release] of steps) await counted(step, async () => world.run(place, release));
  await load.stop();
  await load.settle(60);
  return {
    steps: done,
    payments: load.payments.length,
    signedByVersion: await countSigned(sandbox.databaseUrl('postgres')),
    failures: load.failures,
  };
};

const countSigned = async (url: string): Promise<Readonly<Record<number, number>>> => {
  const pool = createPool({ url, name: 'two-releases', max: 1 });
  try {
    const { rows } = await pool.query<{ version: number; count: number }>(
      `SELECT schema_version AS version, count(*)::int AS count FROM payments.events WHERE type = 'signed' GROUP BY 1`,
    );
    return Object.fromEntries(rows.map(({ version, count }) => [version, count]));
  } finally {
    await pool.end();
  }
};
