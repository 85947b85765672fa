import { advanceClock } from '@xs2a/contracts/accounts.contract';
import { Clock } from '@xs2a/runtime/clock';
import { randomUUID } from 'node:crypto';
import { type CpuTimes, startCpu } from '../load/cpu-time.js';
import type { BenchWorld } from './bench-world.js';
import { type Customer, inTurn } from './customers.js';
import { inParallel, numbers } from './in-parallel.js';
import { atOnce, paymentBody, sign } from './payments.js';
import { realTime } from './real-time.js';
import { waitUntil } from './wait-until.js';

const day = 24 * 60 * 60 * 1000;
/** The number of days by which the sandbox clock is moved to make payments signed for tomorrow due. */
const daysMoved = 2;
/** The milliseconds after which every entry has been booked. */
const bookingMs = 5 * 60 * 1000;

const clockOffset =
  "SELECT coalesce(max(value::bigint), 0) AS count FROM accounts.setting WHERE name = 'clock-offset-ms'";
const settled = "SELECT count(*) FROM payments.payment_view WHERE status = 'ACSC'";
const posted = "SELECT count(*) FROM accounts.transfer WHERE kind = 'post'";
const anyDueBy = 'SELECT count(*) FROM (SELECT FROM payments.payment_view WHERE due_at <= $1 LIMIT 1) AS one';
const anyDue =
  'SELECT count(*) FROM (SELECT FROM payments.payment_view WHERE due_at IS NOT NULL LIMIT 1) AS one';

/** Returns the seconds from the clock move until the worker has nothing left to settle. */
const settleAll = async (world: BenchWorld): Promise<number> => {
  const begun = performance.now();
  const { offsetMs } = await world.calls.call(advanceClock, { byMs: daysMoved * day });
  // By this time only the entries of these payments remain to be booked, which happens later.
  const sandboxClock = new Clock(true);
  sandboxClock.raiseTo(offsetMs);
  await waitUntil(async () => (await world.count(anyDueBy, [sandboxClock.now()])) === 0, 25);
  return (performance.now() - begun) / 1000;
};

export interface Round {
  readonly perSecond: number;
  readonly seconds: number;
  readonly cpu: CpuTimes;
  /** Set if not all payments were settled. */
  readonly problem?: string;
}

/**
 * Signs the given number of payments for the next day of the sandbox clock, cycling through the payers, and
 * settles them. `creditor`: the account that receives all of them; if absent, every second payee has an account here.
 */
export const settleRound = async (
  world: BenchWorld,
  payers: readonly Customer[],
  payments: number,
  creditor?: string,
): Promise<Round> => {
  const offsetMs = await world.count(clockOffset);
  const executionDate = new Date(realTime.nowMs() + offsetMs + day).toISOString().slice(0, 10);
  const [settledBefore, postedBefore] = [await world.count(settled), await world.count(posted)];
  await inParallel(numbers(payments), atOnce, async (number) => {
    const payer = inTurn(number, payers);
    const body = paymentBody(payer.iban, { number, executionDate, ...(creditor && { creditor }) });
    return sign(world.calls, payer, body, { key: randomUUID() });
  });
  const cpu = startCpu(world.parts);
  const seconds = await settleAll(world);
  const round = { perSecond: payments / seconds, seconds, cpu: cpu(payments) };
  const ended = (await world.count(settled)) - settledBefore;
  const money = (await world.count(posted)) - postedBefore;
  // Entries are booked before the round ends, so that their booking does not burden the next round.
  await world.calls.call(advanceClock, { byMs: bookingMs });
  await waitUntil(async () => (await world.count(anyDue)) === 0, 100);
  // A custom core bank posts entries outside this database.
  const isDone = ended === payments && (money === payments || !world.hasSandboxBank);
  return isDone
    ? round
    : { ...round, problem: `of ${payments} payments ${ended} are ACSC and ${money} posted` };
};
