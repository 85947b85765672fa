import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { connections } from '../../hops/hops.js';
import { inTurns } from '../../hops/turns.js';
import { agesAfter, readHead } from '../../load/commit-times.js';
import { type CpuTimes, sumCpu } from '../../load/cpu-time.js';
import { summarise } from '../../load/latency.js';
import { measure, problemOf } from '../../load/measure.js';
import { keptNote, readStored } from '../../load/stored-bytes.js';
import type { Prepared, RowOptions } from '../../row.js';
import { postPayments } from '../../rows/payment-rows.js';
import { customers } from '../../world/customers.js';
import { archiveMonth, dueMonths } from '../../world/operator.js';
import { type Round, settleRound } from '../../world/settlement-round.js';
import type { Growth } from '../growth.js';
import type { HistoryWorld } from '../history-world.js';
import { fromTo, inRounds, mapPair, rank, type Worlds } from '../pair.js';

const throwAny = (name: string, problem: string | undefined): void => {
  if (problem !== undefined) throw new Error(`${name}: ${problem}`);
};

const ofPostgres = ({ cpu }: { readonly cpu: CpuTimes }): number => new Map(cpu).get('postgres') ?? 0;

/** Sends the same requests to both services in alternating turns of 2 s. Throws on an unexpected status. */
export const measureRequests = async (
  name: string,
  worlds: Worlds,
  prepare: (world: HistoryWorld) => Promise<Prepared>,
  { seconds, warmUpSeconds }: RowOptions,
): Promise<Growth> => {
  const turn = async (history: HistoryWorld) => {
    const { entrance, parts } = history.world;
    const times = { connections, seconds, warmUpSeconds };
    return { plan: { ...entrance, ...times, ...(await prepare(history)) }, parts };
  };
  const [few, many] = await inTurns([await turn(worlds.few), await turn(worlds.many)], seconds);
  if (few === undefined || many === undefined) throw new Error(`${name} was not measured`);
  throwAny(name, problemOf(few, many));
  const found = { few, many };
  const note = [
    fromTo(found, ({ perSecond }) => `${Math.round(perSecond)}/s`),
    `p99 ${fromTo(found, ({ p99 }) => p99.toFixed(0))} ms`,
    `CPU ms ${fromTo(found, ({ cpu }) => sumCpu(cpu).toFixed(2))}`,
    `of them PostgreSQL ${fromTo(found, (one) => ofPostgres(one).toFixed(2))}`,
  ].join(', ');
  return { name, ...mapPair(found, ({ cpu }) => sumCpu(cpu)), note };
};

const paymentsPerSecond = 200;
const roundsOfAges = 4;

/** Measures event ages during some seconds of POST payment load, in milliseconds from commit to JetStream. */
const readAges = async (world: HistoryWorld['world'], seconds: number): Promise<readonly number[]> => {
  const pos = await readHead(world);
  const times = { connections, pace: paymentsPerSecond, seconds, warmUpSeconds: 1 };
  const plan = { ...world.entrance, ...(await postPayments(world)), ...times };
  throwAny('event age', problemOf(await measure(plan, world.parts)));
  return agesAfter(world, pos);
};

/**
 * Runs both services in turns, at a pace below the machine's limit. Compares the median event ages, which a single
 * pause does not change.
 */
export const measureEventAge = async (worlds: Worlds, { seconds }: RowOptions): Promise<Growth> => {
  const each = Math.ceil(seconds / roundsOfAges);
  const ages = await inRounds(worlds, roundsOfAges, async ({ world }) => readAges(world, each));
  const found = mapPair(ages, (all) => summarise(all.flat(), seconds));
  return {
    name: 'event age, commit to JetStream',
    ...mapPair(found, ({ p50 }) => p50),
    note: `p50 ${fromTo(found, ({ p50 }) => p50.toFixed(1))} ms, p99 ${fromTo(found, ({ p99 }) => p99.toFixed(0))} ms at ${paymentsPerSecond}/s`,
  };
};

const payers = customers.slice(0, 1000);
const roundsOfSettlement = 5;
/**
 * The default number of payments: enough to make the full-page writes after a checkpoint a small share of each
 * payment's cost.
 */
const defaultPayments = 4000;

const total = ({ cpu }: Round): number => sumCpu(cpu);
/** Returns the median of a value over all rounds. */
const median = (rounds: readonly Round[], of: (round: Round) => number): number => of(rank(rounds, of, 0.5));

/**
 * Lets signed payments become due and settles them, with the services in turns; the first round of each service is
 * not counted. Returns the growth, and a sentence with the bytes that one payment added to the database of the
 * service with many events.
 */
export const measureSettlement = async (
  worlds: Worlds,
  { payments = defaultPayments }: RowOptions,
): Promise<readonly [Growth, stored: string]> => {
  const settle = async ({ world }: HistoryWorld): Promise<Round> => {
    const round = await settleRound(world, payers, payments);
    throwAny('settlement', round.problem);
    return round;
  };
  // Filling accounts with entries leaves autovacuum with work that costs as much as several hundred
  // settlements and would be counted as part of them.
  await inRounds(worlds, 1, async ({ world }) => world.query('VACUUM (ANALYZE)'));
  await inRounds(worlds, 1, settle);
  const { world } = worlds.many;
  const before = await readStored(world);
  const rounds = await inRounds(worlds, roundsOfSettlement, settle);
  const stored = keptNote(before, await readStored(world), roundsOfSettlement * payments);
  const cpuOf = (of: (round: Round) => number): string => fromTo(rounds, (all) => median(all, of).toFixed(2));
  const rates = fromTo(rounds, (all) => `${Math.round(median(all, ({ perSecond }) => perSecond))}/s`);
  const note = `${rates}, CPU ms ${cpuOf(total)}, of them PostgreSQL ${cpuOf(ofPostgres)}`;
  return [{ name: 'settlement', ...mapPair(rounds, (all) => median(all, total)), note }, stored];
};

/**
 * Archives the oldest month of payments that may be archived. Returns a sentence with the bytes per payment in the
 * archive file.
 */
export const measureArchive = async ({ world }: HistoryWorld, folder: string): Promise<string> => {
  const [month] = await dueMonths(world);
  if (month === undefined) return 'no month of payments is old enough to be archived';
  const to = mkdtempSync(join(folder, 'archive-'));
  try {
    const begun = performance.now();
    const files = await archiveMonth(world, month, to);
    const seconds = (performance.now() - begun) / 1000;
    const sum = (of: (file: (typeof files)[number]) => number): number =>
      files.reduce((total, file) => total + of(file), 0);
    const [payments, events] = [sum(({ streams }) => streams), sum((file) => file.events)];
    const bytes = sum(({ path }) => statSync(path).size);
    return `KB kept of a payment in the archive, until its retention ends: ${(bytes / 1000 / payments).toFixed(2)} (${events} events of ${payments} payments archived in ${seconds.toFixed(1)} s)`;
  } finally {
    rmSync(to, { recursive: true, force: true });
  }
};
