import type { FigureOptions } from '../../figure.js';
import { keptNote, readStored, type Stored } from '../../load/stored-bytes.js';
import { customers } from '../../world/customers.js';
import { type Round, settleRound } from '../../world/settlement-round.js';
import { withClient } from '../../world/with-client.js';
import type { Measured } from '../growth.js';
import type { HistoryWorld } from '../history-world.js';

const payers = customers.slice(0, 1000);
const rounds = 5;
/** Enough to make the full-page writes after a checkpoint a small share of each. */
const defaultPayments = 4000;

const sumCpu = ({ cpu }: Round): number => cpu.reduce((sum, [, ms]) => sum + ms, 0);
const postgresCpu = ({ cpu }: Round): number => new Map(cpu).get('postgres') ?? 0;
const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const rateOf = (all: readonly Round[]): number => middle(all.map(({ perSecond }) => perSecond));
const cpuOf = (all: readonly Round[], ofRound = sumCpu): number => middle(all.map(ofRound));
const fromFewToMany = (
  { few, many }: Record<HistoryWorld['name'], readonly Round[]>,
  ofRound = sumCpu,
): string => `${cpuOf(few, ofRound).toFixed(2)} → ${cpuOf(many, ofRound).toFixed(2)}`;
const ofDatabase = async <Result>(
  { world }: HistoryWorld,
  work: Parameters<typeof withClient<Result>>[1],
): Promise<Result> => withClient(world.sandbox.databaseUrl('postgres'), work);

/**
 * Keeps earlier measurements from affecting settlement: filling accounts with entries leaves autovacuum with work that costs as much
 * as some hundred settlements, and would be counted as theirs.
 */
const tidyUp = async (history: HistoryWorld): Promise<void> =>
  ofDatabase(history, async (client) => {
    await client.query('VACUUM (ANALYZE)');
  });

const settleOnce = async (history: HistoryWorld, payments: number): Promise<Round> => {
  const settled = await ofDatabase(history, async (client) =>
    settleRound(history.world, client, { payers, payments }),
  );
  if (settled.ended !== payments || settled.money !== payments)
    throw new Error(`of ${payments} payments ${settled.ended} are ACSC and ${settled.money} posted`);
  return settled;
};

export interface Settled {
  readonly growth: Measured;
  /** The bytes that one payment added to the database of the service with many events. */
  readonly stored: string;
}

/** Signed payments become due and are settled, in turns; the first round of each is not counted. */
export const measureSettlement = async (
  [few, many]: readonly [HistoryWorld, HistoryWorld],
  { payments = defaultPayments }: FigureOptions,
): Promise<Settled> => {
  const settled: Record<HistoryWorld['name'], Round[]> = { few: [], many: [] };
  let before: Stored | undefined;
  for (const history of [few, many]) await tidyUp(history);
  for (let round = 0; round <= rounds; round += 1) {
    if (round === 1) before = await ofDatabase(many, readStored);
    for (const history of [few, many]) {
      const one = await settleOnce(history, payments);
      if (round > 0) settled[history.name].push(one);
    }
  }
  if (before === undefined) throw new Error('nothing was settled');
  return {
    growth: {
      name: 'settlement',
      few: cpuOf(settled.few),
      many: cpuOf(settled.many),
      isLinear: false,
      note: `${Math.round(rateOf(settled.few))}/s → ${Math.round(rateOf(settled.many))}/s, CPU ms ${fromFewToMany(settled)}, of them PostgreSQL ${fromFewToMany(settled, postgresCpu)}`,
    },
    stored: keptNote(before, await ofDatabase(many, readStored), rounds * payments),
  };
};
