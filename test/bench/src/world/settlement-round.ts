import { advanceClock } from '@xs2a/contracts/accounts.contract';
import { Clock } from '@xs2a/runtime/clock';
import type { ServiceCalls } from '@xs2a/sandbox/services/service-calls';
import type { Client } from 'pg';
import { addCpu, cpuPerRequest, cpuSeconds } from '../load/cpu-time.js';
import type { Measured } from '../load/measure.js';
import { readStored, storedNote } from '../load/stored-bytes.js';
import type { BenchWorld } from './bench-world.js';
import type { Customer } from './customers.js';
import { withCalls } from './direct-calls.js';
import { realTime } from './real-time.js';
import { signMany } from './signed-payments.js';
import { waitUntil } from './wait-until.js';

const day = 24 * 60 * 60 * 1000;
/** Days by which the sandbox clock is moved, so that payments signed for tomorrow become due. */
const daysMoved = 2;
/** Milliseconds after which an entry is certainly booked. */
const bookingMs = 5 * 60 * 1000;
const readNumber = async (client: Client, text: string, ...values: readonly string[]): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(text, [...values]);
  return Number(rows[0]?.count ?? 0);
};

const clockOffset =
  "SELECT coalesce(max(value::bigint), 0) AS count FROM accounts.setting WHERE name = 'clock-offset-ms'";
const settled = "SELECT count(*) FROM payments.payment_view WHERE status = 'ACSC'";
const posted = "SELECT count(*) FROM accounts.transfer WHERE kind = 'post'";
const anyDueBy = 'SELECT count(*) FROM (SELECT FROM payments.payment_view WHERE due_at <= $1 LIMIT 1) AS one';
const anyDue =
  'SELECT count(*) FROM (SELECT FROM payments.payment_view WHERE due_at IS NOT NULL LIMIT 1) AS one';

/** Milliseconds from the moved clock until the worker has nothing left to settle. */
const settleAll = async (serviceCalls: ServiceCalls, client: Client): Promise<number> => {
  const begun = performance.now();
  const { offsetMs } = await serviceCalls.call(advanceClock, { byMs: daysMoved * day });
  // Only the booking of their entries comes later.
  const sandboxClock = new Clock(true);
  sandboxClock.raiseTo(offsetMs);
  await waitUntil(async () => (await readNumber(client, anyDueBy, sandboxClock.now())) === 0, 25);
  return performance.now() - begun;
};

export interface Round {
  readonly perSecond: number;
  readonly seconds: number;
  readonly ended: number;
  readonly money: number;
  readonly cpu: Measured['cpu'];
  /** The bytes that the payments added to the database. */
  readonly stored: string;
}

/** Waits until the entries of settled payments are booked, so that this is not part of the next round. */
const bookAll = async (serviceCalls: ServiceCalls, client: Client): Promise<void> => {
  await serviceCalls.call(advanceClock, { byMs: bookingMs });
  await waitUntil(async () => (await readNumber(client, anyDue)) === 0, 100);
};

/** Signs this many payments for the next day of the sandbox clock, and settles them. */
export const settleRound = async (
  world: BenchWorld,
  client: Client,
  { payers, payments }: { readonly payers: readonly Customer[]; readonly payments: number },
): Promise<Round> =>
  withCalls(world.sandbox, async (serviceCalls) => {
    const offsetMs = await readNumber(client, clockOffset);
    const executionDate = new Date(realTime.nowMs() + offsetMs + day).toISOString().slice(0, 10);
    const [endedBefore, moneyBefore] = [await readNumber(client, settled), await readNumber(client, posted)];
    const storedBefore = await readStored(client);
    await signMany(serviceCalls, payers, { payments, executionDate });
    const before = cpuSeconds(world.parts);
    const seconds = (await settleAll(serviceCalls, client)) / 1000;
    const round = {
      perSecond: payments / seconds,
      seconds,
      cpu: cpuPerRequest(addCpu(new Map(), before, cpuSeconds(world.parts)), payments),
      ended: (await readNumber(client, settled)) - endedBefore,
      money: (await readNumber(client, posted)) - moneyBefore,
    };
    await bookAll(serviceCalls, client);
    return { ...round, stored: storedNote(storedBefore, await readStored(client), payments) };
  });
