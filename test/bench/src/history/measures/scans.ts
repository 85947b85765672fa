import { jetstreamManager } from '@nats-io/jetstream';
import { eventStreams } from '@xs2a/contracts/event-streams';
import { connectStreams } from '@xs2a/nats/connection';
import { makeAssets } from '@xs2a/nats/jetstream-assets';
import { createLogger } from '@xs2a/observability/logger';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkDeep, type Checked, projections, rebuild } from '../../world/operator.js';
import type { BenchWorld } from '../../world/bench-world.js';
import type { Growth } from '../growth.js';
import type { HistoryWorld } from '../history-world.js';
import { waitForReaders } from '../log-readers.js';
import { fromTo, inRounds, mapPair, type Pair, rank, type Worlds } from '../pair.js';

/** The duration of work over this many events. */
interface Scan {
  readonly events: number;
  readonly seconds: number;
}

const microseconds = ({ seconds, events }: Scan): number => (seconds * 1e6) / events;
const costs = (scans: Pair<Scan>): Pair<number> => mapPair(scans, microseconds);
const rate = (scan: Scan): string => `${Math.round(1e6 / microseconds(scan))}/s`;
/** Returns the fastest of several scans. */
const quickest = <One extends Scan>(scans: readonly One[]): One => rank(scans, ({ seconds }) => seconds);

const isBad = ({ state }: Checked): boolean => state === 'failed' || state === 'skipped';

/**
 * Counts only the checks of the invariants, because the other checks do not read stored data. A failed check makes
 * the row invalid.
 */
export const measureDeep = async (worlds: Worlds): Promise<Growth> => {
  const bad: string[] = [];
  const scans = await inRounds(worlds, 1, async ({ world, events }) => {
    const checks = await checkDeep(world);
    bad.push(...checks.filter(isBad).map(({ name, text }) => `${name}: ${text}`));
    const invariants = checks.filter(({ name }) => name.startsWith('invariant'));
    return { events, seconds: invariants.reduce((sum, { ms }) => sum + ms, 0) / 1000 };
  });
  const found = mapPair(scans, quickest);
  const seconds = fromTo(found, (one) => `${one.seconds.toFixed(1)} s`);
  return {
    name: 'doctor --deep',
    ...costs(found),
    isLinear: true,
    note: `${seconds}, ${bad.length === 0 ? 'nothing found' : bad.join('; ')}`,
    problem: bad.length === 0 ? undefined : `doctor --deep: ${bad.join('; ')}`,
  };
};

const listTables = `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND n.nspname !~ '^(pg_|information_schema)' ORDER BY 1`;

/**
 * Copies all rows of all tables in one snapshot, each table to its own file. pg_dump would do the same, but the
 * sandbox's PostgreSQL does not include it.
 */
const dump = async ({ world, events }: HistoryWorld): Promise<Scan & { readonly megabytes: number }> => {
  const file = join(world.sandbox.dataDir, 'dump');
  const tables = await world.query<{ name: string }>(listTables);
  const bytes = await world.count('SELECT pg_database_size(current_database()) AS count');
  const client = await world.database.connect();
  try {
    const begun = performance.now();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    for (const { name } of tables) await client.query(`COPY ${name} TO '${file}'`);
    await client.query('COMMIT');
    return { events, seconds: (performance.now() - begun) / 1000, megabytes: bytes / 1e6 };
  } finally {
    client.release();
    rmSync(file, { force: true });
  }
};

/**
 * Dumps each service twice and counts only the faster dump. The small database is already in memory, and by the
 * second dump so is the large one, if it fits.
 */
export const measureDump = async (worlds: Worlds): Promise<Growth> => {
  const dumps = mapPair(await inRounds(worlds, 2, dump), quickest);
  const note = fromTo(
    dumps,
    ({ seconds, megabytes }) =>
      `${megabytes.toFixed(0)} MB in ${seconds.toFixed(1)} s, ${(megabytes / seconds).toFixed(0)} MB/s`,
  );
  return { name: 'dump', ...costs(dumps), isLinear: true, note };
};

/** Runs the service's own rebuild command for each read model of payments. */
export const measureRebuilds = async (worlds: Worlds): Promise<readonly Growth[]> => {
  const measured: Growth[] = [];
  for (const name of projections) {
    const rebuilds = await inRounds(worlds, 1, async ({ world }) => rebuild(world, name));
    const found = mapPair(rebuilds, quickest);
    measured.push({ name: `rebuild of ${name}`, ...costs(found), isLinear: true, note: fromTo(found, rate) });
  }
  return measured;
};

/**
 * Wipes the payments stream while its service is stopped, and measures the time from the first to the last message
 * that the relay then stores. The relay refills the stream with the newest `STREAM_REFILL_EVENTS` events.
 */
const refill = async (world: BenchWorld): Promise<Scan> => {
  const { services, natsUrl } = world.sandbox;
  const nats = await connectStreams(natsUrl(), 'bench', createLogger('bench', 'silent'));
  try {
    const { streams } = await jetstreamManager(nats);
    await services.payments.stop();
    await streams.delete(eventStreams.payments);
    await makeAssets(nats);
    await services.payments.start();
    await waitForReaders(world);
    const { state } = await streams.info(eventStreams.payments);
    const ms = Date.parse(state.last_ts) - Date.parse(state.first_ts);
    return { events: state.messages, seconds: ms / 1000 };
  } finally {
    await nats.drain();
  }
};

/** Counts the fastest of three refills. */
export const measureRefill = async (worlds: Worlds): Promise<Growth> => {
  const refills = mapPair(await inRounds(worlds, 3, async ({ world }) => refill(world)), quickest);
  const note = fromTo(refills, (one) => `${one.events} events, ${rate(one)}`);
  return {
    name: 'wiped stream filled again',
    ...costs(refills),
    note: `${note}; the newest ones alone, however many there are`,
  };
};
