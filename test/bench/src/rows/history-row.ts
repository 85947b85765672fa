import { describeGrowth, type Growth, ratioOf } from '../history/growth.js';
import { type HistoryWorld, startHistoryWorld } from '../history/history-world.js';
import { measureDeep, measureDump, measureRebuilds, measureRefill } from '../history/measures/scans.js';
import {
  measureArchive,
  measureEventAge,
  measureRequests,
  measureSettlement,
} from '../history/measures/work.js';
import { mapPair, type Worlds } from '../history/pair.js';
import type { FigureRow, Found, Prepared, RowOptions } from '../row.js';
import { fillHistories } from '../world/account-histories.js';
import { customers } from '../world/customers.js';
import { postPayments, readStatus } from './payment-rows.js';
import { transactionRequests } from './transaction-requests.js';

const defaultEvents = 1_000_000;
const maxFewEvents = 20_000;
/**
 * The days over which the events are spread: less than a month, because the service with few events is new, and
 * two years.
 */
const [fewDays, manyDays] = [20, 730];
const entriesOfAccount = 200;
const maxTransactionRequests = 40_000;

/** GET transactions over as many entries as there are events, with 200 entries on each account. */
const listTransactions = async ({ world, events }: HistoryWorld): Promise<Prepared> => {
  const count = Math.min(customers.length, Math.max(1, Math.round(events / entriesOfAccount)));
  const accounts = customers.slice(0, count);
  await fillHistories(world, accounts, entriesOfAccount);
  return transactionRequests(world, { accounts, minDays: 25, max: maxTransactionRequests });
};

/** GET status for the measured TPP's payments, from the oldest to the newest. */
const readOldStatus = async ({ world, ownPayments }: HistoryWorld): Promise<Prepared> =>
  readStatus(world, ownPayments);

/**
 * Measures full scans first, then reads, then writes. Settlement moves the clock by days, so it comes before the
 * initiation of payments, which would otherwise expire.
 */
const measureAll = async (worlds: Worlds, options: RowOptions): Promise<Found> => {
  const { say, folder } = options;
  const { few, many } = worlds;
  const sizes = mapPair(worlds, ({ events }) => events);
  const measured: Growth[] = [];
  const add = (...more: readonly Growth[]): void => {
    measured.push(...more);
    for (const one of more) say(`  ${describeGrowth(one, sizes)}`);
  };
  add(await measureDeep(worlds));
  add(await measureDump(worlds));
  add(...(await measureRebuilds(worlds)));
  add(await measureRefill(worlds));
  add(await measureRequests('GET status', worlds, readOldStatus, options));
  add(await measureRequests('GET transactions', worlds, listTransactions, options));
  const [growth, stored] = await measureSettlement(worlds, options);
  add(growth);
  add(await measureRequests('POST payment', worlds, async ({ world }) => postPayments(world), options));
  add(await measureEventAge(worlds, options));
  const bytes = [stored, await measureArchive(many, folder)];
  for (const note of bytes) say(`  ${note}`);
  const problems = measured.flatMap(({ problem }) => problem ?? []);
  const most = Math.max(...measured.map(ratioOf));
  return {
    value: most,
    notes: [
      `${many.events} events of ${many.payments} payments over ${manyDays} days, loaded in ${many.seconds.toFixed(0)} s, to ${few.events} over ${fewDays}`,
      ...measured.map((one) => describeGrowth(one, sizes)),
      ...bytes,
    ],
    problem: problems.length === 0 ? undefined : problems.join('; '),
  };
};

export const historyRow: FigureRow = {
  name: 'history',
  title: 'cost with two years of events relative to few, the measure that grew most',
  targets: { sandbox: { atMost: 1.2, unit: '×' } },
  measure: async (options) => {
    const { events = defaultEvents, onlyLoad } = options;
    const started: HistoryWorld[] = [];
    const start = async (name: string, plan: { events: number; days: number }): Promise<HistoryWorld> => {
      const one = await startHistoryWorld(options, name, plan);
      started.push(one);
      return one;
    };
    try {
      const few = await start('few', { events: Math.min(maxFewEvents, events / 10), days: fewDays });
      const many = await start('many', { events, days: manyDays });
      if (onlyLoad) return { value: Number.NaN, problem: 'loaded, nothing was measured' };
      return await measureAll({ few, many }, options);
    } finally {
      for (const { world } of started) await world.stop();
    }
  },
};
