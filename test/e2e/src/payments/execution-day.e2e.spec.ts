import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import {
  listCodes,
  domesticPayment,
  initiate,
  type Initiated,
  sandboxNow,
  readStatus,
} from '@xs2a/test-support/requests';
import { homeCurrency } from '@xs2a/test-support/home';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
});
afterAll(async () => world.stop());

/** Creates a payment signed today for a future day. */
const signedFor = async (
  requestedExecutionDate: string,
  amount = '5.00',
): Promise<Initiated & { iban: string }> => {
  const psu = await world.person('10.00');
  const iban = psu.accounts[0]?.iban ?? '';
  const body = domesticPayment(iban, amount, { requestedExecutionDate });
  const payment = await initiate(tpp, await tpp.applicationToken(), body);
  await walkAndApprove(world.browser(), payment.scaRedirect, psu);
  return { ...payment, iban };
};
const statusNow = async ({ path }: Initiated): Promise<Record<string, unknown>> =>
  readStatus(tpp, await tpp.applicationToken(), path);
const cancel = async ({ path }: Initiated) => tpp.call('DELETE', path, await tpp.applicationToken());
const moveTo = async (instant: number): Promise<void> => {
  const seconds = Math.ceil((instant - Date.parse(await sandboxNow(world))) / 1000);
  await world.advance(`PT${seconds}S`);
};

const day = 86_400_000;
const toDate = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
/**
 * Sofia is 2 hours ahead of UTC, or 3 hours from the last Sunday of March to the last Sunday of October. The
 * change is at 01:00 UTC.
 */
const lastSunday = (year: number, month: number): number => {
  const last = Date.UTC(year, month + 1, 0);
  return last - new Date(last).getUTCDay() * day;
};
/** Days after `now` on which date code often fails, each with Sofia's UTC offset in hours at the start of the day. */
const daysAfter = (
  now: string,
): { readonly name: string; readonly midnight: number; readonly ahead: number }[] => {
  const year = Number(now.slice(0, 4));
  return [year, year + 1]
    .flatMap((one) => [
      { name: 'summer time begins', midnight: lastSunday(one, 2), ahead: 2 },
      { name: 'the day after summer time began', midnight: lastSunday(one, 2) + day, ahead: 3 },
      { name: 'summer time ends', midnight: lastSunday(one, 9), ahead: 3 },
      { name: 'the day after summer time ended', midnight: lastSunday(one, 9) + day, ahead: 2 },
      { name: 'a year begins', midnight: Date.UTC(one + 1, 0, 1), ahead: 2 },
    ])
    .filter(({ midnight }) => midnight > Date.parse(now) + 2 * day)
    .toSorted((a, b) => a.midnight - b.midnight)
    .slice(0, 5);
};

describe('a future-dated payment (spec 3.1, contract 8)', () => {
  it('waits for midnight in the bank’s time zone, also across New Year and daylight saving changes', async () => {
    const days = daysAfter(await sandboxNow(world));
    expect(new Set(days.map(({ name }) => name)).size).toBe(5);
    const payments: (Initiated & { readonly starts: number })[] = [];
    for (const { midnight, ahead } of days)
      payments.push({ ...(await signedFor(toDate(midnight))), starts: midnight - ahead * 3_600_000 });
    for (const payment of payments) {
      await moveTo(payment.starts - 600_000);
      expect(await statusNow(payment)).toEqual({ transactionStatus: 'ACCP' });
      await moveTo(payment.starts);
      expect(await statusNow(payment)).toEqual({ transactionStatus: 'ACSC', fundsAvailable: true });
    }
  }, 120_000);

  it('with the last allowed date can be signed, waits as ACCP, and can be cancelled', async () => {
    const payment = await signedFor('9999-12-31');
    expect(await statusNow(payment)).toEqual({ transactionStatus: 'ACCP' });
    expect((await cancel(payment)).status).toBe(204);
  });

  it('may be cancelled until its day; its funds are checked on that day, not before', async () => {
    const midnight = Math.ceil(Date.parse(await sandboxNow(world)) / day) * day + 2 * day;
    const date = toDate(midnight);
    const [cancelled, covered, late, short] = [
      await signedFor(date),
      await signedFor(date, '50.00'),
      await signedFor(date),
      await signedFor(date, '10.01'),
    ];
    await moveTo(midnight - 4 * 3_600_000);
    for (const payment of [cancelled, covered, late, short])
      expect(await statusNow(payment)).toEqual({ transactionStatus: 'ACCP' });
    expect((await cancel(cancelled)).status).toBe(204);
    const deposit = await tpp.call(
      'POST',
      `/sandbox/accounts/${covered.iban}/deposit`,
      await tpp.applicationToken(),
      { json: { amount: '40.00', currency: homeCurrency } },
    );
    expect(deposit.status).toBe(201);
    await moveTo(midnight);
    expect(await statusNow(cancelled)).toEqual({ transactionStatus: 'CANC' });
    expect(await statusNow(covered)).toEqual({ transactionStatus: 'ACSC', fundsAvailable: true });
    expect(await statusNow(short)).toMatchObject({ transactionStatus: 'ACCP', fundsAvailable: false });
    for (const payment of [late, short]) {
      const answer = await cancel(payment);
      expect([answer.status, listCodes(answer)]).toEqual([405, ['CANCELLATION_INVALID']]);
    }
  }, 60_000);
});
