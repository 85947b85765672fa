import type { FigureOptions, FigureRow, Found } from '../figure.js';
import { describeGrowth, type Measured, ratioOf } from '../history/growth.js';
import { type HistoryWorld, startHistoryWorld } from '../history/history-world.js';
import { measureArchive } from '../history/measures/archive.js';
import { measureDeep } from '../history/measures/deep.js';
import { measureDump } from '../history/measures/dump.js';
import { measureEventAge } from '../history/measures/event-age.js';
import { measureRebuilds } from '../history/measures/rebuild.js';
import { measureRefill } from '../history/measures/refill.js';
import { measureRequests } from '../history/measures/requests.js';
import { measureSettlement } from '../history/measures/settlement.js';
import { wireRequest } from '../load/load-plan.js';
import type { Prepared } from '../row.js';
import { fillHistories } from '../world/account-histories.js';
import { customers } from '../world/customers.js';
import { product } from '../world/signed-payments.js';
import { postPayments } from './payment-rows.js';
import { transactionRequests } from './transaction-requests.js';

const defaultEvents = 1_000_000;
const maxFewEvents = 20_000;
/** A month, and two years: the service with few events is new. */
const [fewDays, manyDays] = [20, 730];
const entriesOfAccount = 200;
const maxTransactionRequests = 40_000;

type Worlds = readonly [HistoryWorld, HistoryWorld];

/** GET status of the TPP's payments, from the oldest to the newest. */
const readOldStatus = async ({ world, ownPayments }: HistoryWorld): Promise<Prepared> => {
  const tokens = await world.tokens.application(Math.min(ownPayments.length, customers.length));
  return {
    requests: ownPayments.map((id, number) =>
      wireRequest(
        'GET',
        `/v1/payments/${product}/${id}/status`,
        world.bearing(tokens[number % tokens.length] ?? ''),
      ),
    ),
    expect: 200,
  };
};

/** GET transactions of as many entries as there are events, 200 on each account. */
const listTransactions = async ({ world, events }: HistoryWorld): Promise<Prepared> => {
  const count = Math.min(customers.length, Math.max(1, Math.round(events / entriesOfAccount)));
  const accounts = customers.slice(0, count);
  await fillHistories(world.sandbox, accounts, entriesOfAccount);
  return transactionRequests(world, { accounts, minDays: 25, max: maxTransactionRequests });
};

/**
 * First full scans, then reads, then writes. Settlement moves the clock by days, so it
 * comes before payments are initiated, which would expire.
 */
const measureAll = async (
  worlds: Worlds,
  options: FigureOptions,
): Promise<readonly [Measured[], readonly string[]]> => {
  const { say } = options;
  const measured: Measured[] = [];
  const sizes = { few: worlds[0].events, many: worlds[1].events };
  const add = (...more: readonly Measured[]): void => {
    measured.push(...more);
    for (const one of more) say(`  ${describeGrowth(one, sizes)}`);
  };
  add(await measureDeep(worlds));
  add(await measureDump(worlds));
  add(...(await measureRebuilds(worlds)));
  add(await measureRefill(worlds));
  add(await measureRequests('GET status', worlds, readOldStatus, options));
  add(await measureRequests('GET transactions', worlds, listTransactions, options));
  const { growth, stored } = await measureSettlement(worlds, options);
  add(growth);
  add(await measureRequests('POST payment', worlds, async ({ world }) => postPayments(world), options));
  add(await measureEventAge(worlds, options));
  const archived = await measureArchive(worlds[1], options.folder);
  say(`  ${stored}`);
  say(`  ${archived}`);
  return [measured, [stored, archived]];
};

const history = async (options: FigureOptions): Promise<Found> => {
  const { events = defaultEvents } = options;
  const started: HistoryWorld[] = [];
  const start = async (name: HistoryWorld['name'], stored: number, days: number): Promise<HistoryWorld> => {
    const one = await startHistoryWorld(options, { name, events: stored, days });
    started.push(one);
    return one;
  };
  try {
    const few = await start('few', Math.min(maxFewEvents, events / 10), fewDays);
    const many = await start('many', events, manyDays);
    if (options.onlyLoad === true)
      return { value: Number.NaN, notes: [], problem: 'loaded, nothing was measured' };
    const [measured, stored] = await measureAll([few, many], options);
    const sizes = { few: few.events, many: many.events };
    const problems = measured.flatMap(({ problem }) => problem ?? []);
    const most = Math.max(...measured.map(ratioOf));
    return {
      value: most,
      ratio: most,
      notes: [
        `${sizes.many} events of ${many.payments} payments over ${manyDays} days, loaded in ${many.seconds.toFixed(0)} s, to ${sizes.few} over ${fewDays}`,
        ...measured.map((one) => describeGrowth(one, sizes)),
        ...stored,
      ],
      ...(problems.length === 0 ? {} : { problem: problems.join('; ') }),
    };
  } finally {
    for (const { world } of started) await world.stop();
  }
};

export const historyRow: FigureRow = {
  name: 'history',
  title: 'cost with two years of events to that with few, what grew most',
  targets: { sandbox: { atMost: 1.2, unit: '×' } },
  measure: history,
};
