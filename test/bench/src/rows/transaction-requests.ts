import { wireRequest } from '../load/load-plan.js';
import type { Prepared } from '../row.js';
import type { BenchWorld } from '../world/bench-world.js';
import { type Customer, inTurn } from '../world/customers.js';
import { grantConsents } from '../world/granted-consents.js';
import { realTime } from '../world/real-time.js';

/** The number of calls without the PSU present that a consent allows per day. */
const callsPerDay = 4;
/**
 * The number of consents that are used in turn, so that two calls for the same consent are never in flight
 * together.
 */
const round = 500;
const maxConsents = 15_000;
const dayMs = 24 * 60 * 60 * 1000;
const oldestDay = 83;

/** Lists periods of at least the given number of days that end before today and lie within the account histories. */
const listPeriods = (minDays: number): readonly { readonly end: number; readonly begin: number }[] =>
  Array.from({ length: oldestDay - minDays }, (_none, index) => index + 1).flatMap((end) =>
    Array.from({ length: oldestDay - minDays - end + 1 }, (_day, more) => ({
      end,
      begin: end + minDays + more,
    })),
  );
const daysAgo = (days: number): string =>
  new Date(realTime.nowMs() - days * dayMs).toISOString().slice(0, 10);

/**
 * Repeats each token as often as it may be used: first in turn through the first {@link round} tokens, then
 * through the next ones.
 */
const inRounds = <Item>(items: readonly Item[]): Item[] => {
  const order: Item[] = [];
  for (let from = 0; from < items.length; from += round) {
    for (let call = 0; call < callsPerDay; call += 1) order.push(...items.slice(from, from + round));
  }
  return order;
};

/**
 * GET transactions without the PSU present, so that each call is counted. Each call reads a different account of
 * `accounts` and a different page, with a separate consent and token. `leastDays`: the minimum length of a period
 * that fills a page.
 */
export const transactionRequests = async (
  world: BenchWorld,
  {
    accounts,
    minDays,
    max,
  }: {
    readonly accounts: readonly Customer[];
    readonly minDays: number;
    readonly max: number;
  },
): Promise<Prepared> => {
  const count = Math.min(maxConsents, Math.ceil(max / callsPerDay));
  const tokens = await world.tokens.ofConsents(await grantConsents(world, accounts, count));
  const periods = listPeriods(minDays);
  const granted = tokens.map((token, number) => ({ token, account: inTurn(number, accounts) }));
  const requests = inRounds(granted).map(({ token, account }, number) => {
    // The step is coprime to the number of periods, so that an account gets a different period each time it
    // recurs.
    const { begin, end } = periods[(number * 7919) % periods.length] ?? { begin: oldestDay, end: 1 };
    const query = `?pageSize=50&dateFrom=${daysAgo(begin)}&dateTo=${daysAgo(end)}`;
    const path = `/v1/accounts/${account.resourceId}/transactions${query}`;
    return wireRequest('GET', path, world.bearing(token));
  });
  return { requests, once: true, expect: 200 };
};
