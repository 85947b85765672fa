import { advanceClock } from '@xs2a/contracts/accounts.contract';
import { Clock } from '@xs2a/runtime/clock';
import type { ServiceCalls } from '@xs2a/sandbox/services/service-calls';
import type { Client } from 'pg';
import { BenchWorld } from '../world/bench-world.js';
import { addCpu, cpuPerRequest, cpuSeconds } from '../load/cpu-time.js';
import { withCalls } from '../world/direct-calls.js';
import { cpuNote, type FigureOptions, type FigureRow, type Found } from '../figure.js';
import { type Customer, customers } from '../world/customers.js';
import { realTime } from '../world/real-time.js';
import { signMany } from '../world/signed-payments.js';
import type { Measured } from '../load/measure.js';
import { waitUntil } from '../world/wait-until.js';
import { readStored, storedNote } from '../load/stored-bytes.js';
import { withClient } from '../world/with-client.js';

const day = 24 * 60 * 60 * 1000;
/** Days by which the sandbox clock is moved, so that payments signed for tomorrow become due. */
const daysMoved = 2;
/** Milliseconds after which an entry is booked for certain. */
const bookingMs = 5 * 60 * 1000;
const readNumber = async (client: Client, text: string, ...values: readonly string[]): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(text, [...values]);
  return Number(rows[0]?.count ?? 0);
};

const settled = "SELECT count(*) FROM payments.payment_view WHERE status = 'ACSC'";
const posted = "SELECT count(*) FROM accounts.transfer WHERE kind = 'post'";
const anyDueBy = 'SELECT count(*) FROM (SELECT FROM payments.payment_view WHERE due_at <= $1 LIMIT 1) AS one';
const anyDue =
  'SELECT count(*) FROM (SELECT FROM payments.payment_view WHERE due_at IS NOT NULL LIMIT 1) AS one';

/** Milliseconds from the moved clock until the worker has nothing left to settle. */
const settleAll = async (serviceCalls: ServiceCalls, client: Client): Promise<number> => {
  const begun = performance.now();
  const { offsetMs } = await serviceCalls.call(advanceClock, { byMs: daysMoved * day });
  // Later is only the booking of their entries.
  const sandboxClock = new Clock(true);
  sandboxClock.raiseTo(offsetMs);
  await waitUntil(async () => (await readNumber(client, anyDueBy, sandboxClock.now())) === 0, 25);
  return performance.now() - begun;
};

interface Round {
  readonly perSecond: number;
  readonly seconds: number;
  readonly ended: number;
  readonly money: number;
  readonly cpu: Measured['cpu'];
  /** What they left in the database. */
  readonly stored: string;
}

/** Lets the entries of what was settled become booked, so that this is no part of the next round. */
const bookAll = async (serviceCalls: ServiceCalls, client: Client): Promise<void> => {
  await serviceCalls.call(advanceClock, { byMs: bookingMs });
  await waitUntil(async () => (await readNumber(client, anyDue)) === 0, 100);
};

/** Signs so many payments for a day to come, and settles them. */
const settleRound = async (
  world: BenchWorld,
  client: Client,
  {
    payers,
    payments,
    days,
  }: { readonly payers: readonly Customer[]; readonly payments: number; readonly days: number },
): Promise<Round> =>
  withCalls(world.sandbox, async (serviceCalls) => {
    const executionDate = new Date(realTime.nowMs() + days * day).toISOString().slice(0, 10);
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

const settlement =
  (accounts: number) =>
  async (options: FigureOptions): Promise<Found> => {
    const { payments = 10_000, say } = options;
    const world = await BenchWorld.start(options);
    try {
      const payers = customers.slice(0, accounts);
      say(`  twice ${payments} payments are signed and settled over ${payers.length} accounts`);
      return await withClient(world.sandbox.databaseUrl('postgres'), async (client): Promise<Found> => {
        // A first round of the same size counts for nothing: a service that has run for a while is measured.
        const first = await settleRound(world, client, { payers, payments, days: 1 });
        const { perSecond, seconds, ended, money, cpu, stored } = await settleRound(world, client, {
          payers,
          payments,
          days: 1 + daysMoved,
        });
        return {
          value: perSecond,
          perSecond,
          notes: [
            `${ended} ACSC${world.hasSandboxBank ? ` and ${money} posted` : ''} in ${seconds.toFixed(2)} s; as many before them at ${Math.round(first.perSecond).toLocaleString('en-US')}/s`,
            cpuNote(cpu, 'a payment'),
            stored,
          ],
          ...(ended === payments && (money === payments || !world.hasSandboxBank)
            ? {}
            : { problem: `of ${payments} payments ${ended} are ACSC and ${money} posted` }),
        };
      });
    } finally {
      await world.stop();
    }
  };

export const settlementRows: readonly FigureRow[] = [
  {
    name: 'settlement-1000',
    title: 'settlement, 10,000 payments over 1,000 accounts, half of the payees here',
    targets: { sandbox: { atLeast: 2000, unit: '/s' }, production: { atLeast: 1000, unit: '/s' } },
    measure: settlement(1000),
  },
  {
    name: 'settlement-1',
    title: 'settlement, 10,000 payments from one account, half of the payees here',
    targets: { sandbox: { atLeast: 1000, unit: '/s' } },
    measure: settlement(1),
  },
];
