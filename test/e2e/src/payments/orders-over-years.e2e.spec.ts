// Lane: nightly (orders run for two years of clock time).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random } from '@xs2a/chaos/faults/random';
import { ledgerViolations } from '@xs2a/core-banking/sandbox/ledger/ledger-invariants';
import type { PeriodicSchedule } from '@xs2a/domain/order/periodic-schedule';
import { occurrencesDayByDay } from '@xs2a/domain/testing/day-by-day-calendar';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { createPool } from '@xs2a/postgres/pool';
import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { randomInt } from 'node:crypto';
import {
  consentBody,
  consented,
  dayFrom,
  domesticPayment,
  sandboxNow,
  until,
} from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

const orderPath = '/v1/periodic-payments/domestic';
const minDays = 730;
const maxJumpDays = 30;
const opening = 1_000_000;

let world: World;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  world = await World.start();
  pool = createPool({ url: world.sandbox.databaseUrl('postgres'), name: 'orders-over-years', max: 2 });
});
afterAll(async () => {
  await pool.end();
  await world.stop();
});

interface RunningOrder {
  readonly path: string;
  readonly paymentId: string;
  readonly schedule: PeriodicSchedule;
  readonly amount: number;
}
interface Occurrence {
  readonly transactionId: string;
  readonly executionDate: string;
  readonly transactionStatus: string;
  readonly fundsAvailable?: boolean;
}
interface OrderAnswer {
  readonly transactionStatus: string;
  readonly occurrences: readonly Occurrence[];
}

const newOrder = async (psu: FreshPsu, amount: number, schedule: PeriodicSchedule): Promise<RunningOrder> => {
  const { dayOfExecution, ...others } = schedule;
  const day = dayOfExecution === undefined ? {} : { dayOfExecution: String(dayOfExecution) };
  const tpp = world.tpp();
  const answer = await tpp.call('POST', orderPath, await tpp.applicationToken(), {
    json: { ...domesticPayment(psu.accounts[0]?.iban ?? '', amount.toFixed(2)), ...others, ...day },
  });
  if (answer.status !== 201) throw new Error(`POST order answered ${answer.status}: ${answer.text}`);
  const { paymentId, _links } = parseJson<{ paymentId: string; _links: { scaRedirect: { href: string } } }>(
    answer,
  );
  await walkAndApprove(world.browser(), _links.scaRedirect.href, psu);
  return { path: `${orderPath}/${paymentId}`, paymentId, schedule, amount };
};

const readOrder = async ({ path }: RunningOrder): Promise<OrderAnswer> => {
  const tpp = world.tpp();
  return parseJson(await tpp.call('GET', path, await tpp.applicationToken()));
};

/** Waits until everything due by today has been paid, for at most the given number of seconds. */
const upToDate = async (order: RunningOrder, today: string, seconds: number): Promise<void> => {
  await until(
    async () => readOrder(order),
    ({ occurrences }) => (occurrences.at(-1)?.executionDate ?? '') > today,
    seconds,
  );
};

/** Kills the worker with kill -9 after the given number of requests, if it is running. */
const killWorker = async (requests: number): Promise<void> => {
  for (let sent = 0; sent < requests; sent += 1) await sandboxNow(world);
  try {
    world.kill('settlement-worker');
  } catch {
    // The worker is restarting.
  }
};

/** Returns the planned and actual execution days and the occurrence numbers, in event order. */
const paidDays = async ({
  paymentId,
}: RunningOrder): Promise<{ number: number; executionDate: string }[]> => {
  const { rows } = await pool.query<{ number: number; executionDate: string }>(
    `SELECT (p.data->>'number')::int AS number, p.data->>'executionDate' AS "executionDate"
     FROM payments.events s JOIN payments.events p ON p.stream_id = s.stream_id AND p.type = 'transaction-planned'
       AND p.data->>'number' = s.data->>'number'
     WHERE s.stream_id = $1 AND s.type = 'transaction-settled' ORDER BY s.version`,
    [paymentId],
  );
  return rows;
};

const numberOfTransfers = async (iban: string): Promise<unknown[]> => {
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT kind, count(*)::int AS transfers, count(DISTINCT payment_id)::int AS payments
     FROM accounts.transfer t JOIN accounts.account a ON a.id = t.debit_account
     WHERE a.iban = $1 AND kind <> 'direct' GROUP BY kind ORDER BY kind`,
    [iban],
  );
  return rows;
};

interface Entry {
  readonly transactionId: string;
  readonly transactionAmount: { readonly amount: string };
}

/** Returns all entries on the account since the given day, read page by page, and the booked balance. */
const accountHistory = async (
  psu: FreshPsu,
  dateFrom: string,
): Promise<{ booked: Entry[]; pending: Entry[]; balance: string }> => {
  const tpp = world.tpp();
  const iban = psu.accounts[0]?.iban ?? '';
  const body = consentBody([iban], dayFrom(await sandboxNow(world), 10));
  const { consentId, tokens } = await consented(world, tpp, psu, body);
  const headers = { 'consent-id': consentId, 'psu-ip-address': '192.0.2.1' };
  const get = async <Body>(path: string): Promise<Body> =>
    parseJson(await tpp.call('GET', path, tokens.access_token, { headers }));
  const { accounts } = await get<{ accounts: { resourceId: string }[] }>('/v1/accounts');
  const account = `/v1/accounts/${accounts[0]?.resourceId}`;
  const [booked, pending]: [Entry[], Entry[]] = [[], []];
  let next: string | undefined = `${account}/transactions?dateFrom=${dateFrom}&pageSize=500`;
  while (next !== undefined) {
    const page: {
      transactions: { booked?: Entry[]; pending?: Entry[]; _links?: { next?: { href: string } } };
    } = await get(next);
    booked.push(...(page.transactions.booked ?? []));
    pending.push(...(page.transactions.pending ?? []));
    next = page.transactions._links?.next?.href;
  }
  const { balances } = await get<{ balances: { balanceType: string; balanceAmount: { amount: string } }[] }>(
    `${account}/balances`,
  );
  const balance = balances.find(({ balanceType }) => balanceType === 'interimAvailable');
  return { booked, pending, balance: balance?.balanceAmount.amount ?? '' };
};

describe('periodic orders over years of sandbox clock time (contract 9)', () => {
  const seed = randomInt(1_000_000);

  it(`pay each occurrence on its day, exactly once, while the worker is killed at random (seed ${seed})`, async () => {
    const random = new Random(seed);
    const psu = await world.person(opening.toFixed(2));
    const iban = psu.accounts[0]?.iban ?? '';
    const startDate = dayFrom(await sandboxNow(world), 1);
    const orders = [
      await newOrder(psu, 1, { startDate, frequency: 'Daily' }),
      await newOrder(psu, 7, { startDate, frequency: 'Weekly', executionRule: 'following' }),
      await newOrder(psu, 31, {
        startDate,
        frequency: 'Monthly',
        dayOfExecution: 31,
        executionRule: 'preceding',
      }),
    ];
    const end = dayFrom(startDate, minDays);
    let today = startDate;
    let wasKilled = true;
    while (today < end) {
      const isKilled = random.chance(0.4);
      const advancing = world.advance(`P${random.between(1, maxJumpDays)}D`);
      if (isKilled) await killWorker(random.between(0, 60));
      today = dayFrom(await advancing, 0);
      // A worker killed at the end of one jump of the clock may still be down in the next.
      const seconds = isKilled || wasKilled ? 60 : 5;
      for (const order of orders) await upToDate(order, today, seconds);
      wasKilled = isKilled;
    }
    await world.advance('PT6M');

    let occurrences = 0;
    let paid = 0;
    const ids = new Set<string>();
    const { booked, pending, balance } = await accountHistory(psu, startDate);
    for (const order of orders) {
      const expected = occurrencesDayByDay(
        order.schedule,
        makeProfile('sandbox').holidays,
        dayFrom(today, 40),
      )
        .filter(({ executionDate }) => executionDate <= today)
        .map(({ number, executionDate }) => ({ number, executionDate }));
      expect(await paidDays(order)).toEqual(expected);
      occurrences += expected.length;
      paid += expected.length * order.amount;
      const listed = await readOrder(order);
      expect(listed.transactionStatus).toBe('ACSP');
      const [next, ...ran] = listed.occurrences.toReversed();
      expect(ran.toReversed().map(({ executionDate }) => executionDate)).toEqual(
        expected.slice(-100).map(({ executionDate }) => executionDate),
      );
      expect(next?.executionDate).toBeDefined();
      for (const { transactionId, transactionStatus, fundsAvailable } of ran) {
        expect({ transactionStatus, fundsAvailable }).toEqual({
          transactionStatus: 'ACTC',
          fundsAvailable: true,
        });
        expect(booked.filter((entry) => entry.transactionId === transactionId)).toMatchObject([
          { transactionAmount: { amount: `-${order.amount.toFixed(2)}` } },
        ]);
        ids.add(transactionId);
      }
    }
    expect(ids.size).toBeGreaterThan(200);
    expect(pending).toEqual([]);
    const debits = booked.filter(({ transactionAmount }) => transactionAmount.amount.startsWith('-'));
    expect([debits.length, new Set(debits.map(({ transactionId }) => transactionId)).size]).toEqual([
      occurrences,
      occurrences,
    ]);
    expect(balance).toBe((opening - paid).toFixed(2));
    expect(await numberOfTransfers(iban)).toEqual([
      { kind: 'hold', transfers: occurrences, payments: occurrences },
      { kind: 'post', transfers: occurrences, payments: occurrences },
    ]);
    const ledger = createPool({ url: world.sandbox.databaseUrl('xs2a_accounts'), name: 'ledger', max: 1 });
    expect(await ledgerViolations(ledger)).toEqual([]);
    await ledger.end();
  }, 600_000);
});
