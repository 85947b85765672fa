import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import {
  awayFromMidnight,
  bulkPath,
  bulkPayment,
  listCodes,
  dayFrom,
  initiate,
  periodicPath,
  periodicPayment,
  sandboxNow,
  readStatus,
  until,
} from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let token: string;
let today: string;

beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
});
beforeEach(async () => {
  await awayFromMidnight(world);
  token = await tpp.applicationToken();
  today = dayFrom(await sandboxNow(world), 0);
});
afterAll(async () => world.stop());

const getWeekday = (day: string): number => new Date(`${day}T12:00:00Z`).getUTCDay();
const dayAfter = (days: number): string => dayFrom(`${today}T12:00:00Z`, days);
/**
 * Returns the next Saturday in a week without bank holidays, 3 to 26 days ahead, so that the order ends within 30
 * days, also if the bank's clocks go back.
 */
const plainSaturday = (): string => {
  const days = Array.from({ length: 24 }, (_, ahead) => dayAfter(ahead + 3));
  return days.find((day) => getWeekday(day) === 6 && /-(?:06|07|08|10|11)-/.test(day)) ?? '';
};
const signed = async (psu: FreshPsu, changes: object): Promise<string> => {
  const body = periodicPayment(psu.accounts[0]?.iban ?? '', today, { ...changes });
  const { path, scaRedirect } = await initiate(tpp, token, body, {}, periodicPath);
  await walkAndApprove(world.browser(), scaRedirect, psu);
  return path;
};
const advance = async (duration: string): Promise<void> => {
  await world.advance(duration);
  token = await tpp.applicationToken();
};
const daysAt = async (path: string): Promise<string[]> =>
  parseJson<{ occurrences: { executionDate: string }[] }>(await tpp.call('GET', path, token)).occurrences.map(
    ({ executionDate }) => executionDate,
  );

describe('the execution days of a periodic order (contract 9)', () => {
  it('are moved from non-banking days according to executionRule, also in the sandbox, and two occurrences can run on the same day', async () => {
    const psu = await world.person('1000.00');
    // Moves the clock into a month without holidays and with a weekend ahead.
    while (plainSaturday() === '') {
      await advance('P30D');
      today = dayFrom(await sandboxNow(world), 0);
    }
    const saturday = plainSaturday();
    const at = (offset: number): string => dayFrom(`${saturday}T12:00:00Z`, offset);
    const daily = { startDate: at(-1), endDate: at(3), frequency: 'Daily' };
    const following = await signed(psu, { ...daily, executionRule: 'following' });
    const preceding = await signed(psu, { ...daily, executionRule: 'preceding' });
    const itself = await signed(psu, daily);
    await advance('P30D');
    await advance('PT5M');
    expect(await daysAt(following)).toEqual([at(-1), at(2), at(2), at(2), at(3)]);
    expect(await daysAt(preceding)).toEqual([at(-1), at(-1), at(-1), at(2), at(3)]);
    expect(await daysAt(itself)).toEqual([at(-1), at(0), at(1), at(2), at(3)]);
    for (const path of [following, preceding, itself])
      expect((await readStatus(tpp, token, path))['transactionStatus']).toBe('ACSC');
  });

  it('fall on the last day of a month that lacks the planned day, and a planned day before startDate is not an occurrence', async () => {
    const psu = await world.person('1000.00');
    const path = await signed(psu, {
      startDate: today,
      frequency: 'Monthly',
      dayOfExecution: '31',
      numberOfPayments: 4,
    });
    for (let month = 0; month < 5; month += 1) await advance('P30D');
    const days = await daysAt(path);
    expect(days).toHaveLength(4);
    for (const day of days) expect(dayFrom(`${day}T12:00:00Z`, 1)).toMatch(/-01$/);
    expect((days[0] ?? '') >= today).toBe(true);
  });

  it('are listed for the latest 100 executed occurrences and for the next one', async () => {
    const psu = await world.person('9000.00');
    const path = await signed(psu, { frequency: 'Daily' });
    // Overdue work runs immediately and without pauses, even after the request that moves the clock has
    // stopped waiting.
    await advance('P150D');
    // 150 times 24 hours end on another day if the bank's clocks go forward in the last hour of a day.
    today = dayFrom(await sandboxNow(world), 0);
    const expected = Array.from({ length: 101 }, (_, index) => dayAfter(index - 99));
    const days = await until(
      async () => daysAt(path),
      (listed) => listed.at(-1) === expected.at(-1),
      // 150 sequential settlements, in addition to those of other specs in the same sandbox, take 8 to 25 s
      // on two busy cores.
      90,
    );
    expect(days).toEqual(expected);
    expect((await tpp.call('DELETE', path, token)).status).toBe(204);
  });
});

describe('clearing payments (contract 13)', () => {
  it('cancels and hides orders and bulks that have not been executed', async () => {
    const own = await world.newTpp(['PSP_PI']);
    const ownToken = await own.applicationToken('PSP_PI');
    const psu = await world.person('100.00');
    const iban = psu.accounts[0]?.iban ?? '';
    const order = await initiate(
      own,
      ownToken,
      periodicPayment(iban, today, { frequency: 'Daily' }),
      {},
      periodicPath,
    );
    const bulk = await initiate(own, ownToken, bulkPayment(iban, ['1.00', '2.00']), {}, bulkPath);
    for (const { scaRedirect } of [order, bulk]) await walkAndApprove(world.browser(), scaRedirect, psu);
    expect((await own.call('DELETE', '/sandbox/payments', ownToken)).status).toBe(204);
    for (const { path } of [order, bulk])
      expect(listCodes(await own.call('GET', path, ownToken))).toEqual(['RESOURCE_UNKNOWN']);
    await world.advance('PT1M');
    const user = world.browser();
    const list = await user.submit(await user.open(`${world.baseUrl}/sca/payments`), {
      psuId: psu.psuId,
      password: psu.password,
    });
    expect(list.status).toBe(200);
    expect(list.text).not.toContain('Settled');
  });
});
