import { acceptPayment, initiatePayment, signPayment } from '@xs2a/contracts/payments.contract';
import { advanceClock } from '@xs2a/contracts/accounts.contract';
import type { ServiceCalls } from '@xs2a/sandbox/services/service-calls';
import type { Client } from 'pg';
import { BenchWorld } from '../world/bench-world.js';
import { inParallel, withCalls } from '../world/direct-calls.js';
import { addCpu, cpuPerRequest, cpuSeconds } from '../load/cpu-time.js';
import { cpuNote, type FigureOptions, type FigureRow, type Found } from '../figure.js';
import { connections } from '../hops/hops.js';
import { uuidMark, wireRequest } from '../load/load-plan.js';
import { measure } from '../load/measure.js';
import { type Customer, customers, inTurn } from '../world/customers.js';
import { paymentBody, product } from '../world/signed-payments.js';
import { waitUntil } from '../world/wait-until.js';
import { withClient } from '../world/with-client.js';

/** The most that a bulk payment may have (contract 9). */
const entriesEach = 250;
const atOnce = 8;
const minuteMs = 60_000;

/** The bulk payment of this number: every entry has another payee, every second payee has an account at this bank. */
export const bulkBody = (iban: string, bulk: number): Record<string, unknown> => {
  const entries = Array.from({ length: entriesEach }, (_none, entry) => {
    const { debtorAccount: _shared, ...own } = paymentBody(iban, { number: bulk * entriesEach + entry });
    return own;
  });
  return { debtorAccount: { iban }, payments: entries };
};

const debtorsOfPost = 300;

/** Through the gateway: every entry is validated, and all are durable before the answer. */
const postBulks = async (options: FigureOptions): Promise<Found> => {
  const { seconds, warmUpSeconds } = options;
  const world = await BenchWorld.start(options);
  try {
    const tokens = await world.tokens.application(debtorsOfPost);
    const requests = tokens.map((token, number) => {
      const headers = { ...world.bearing(token), 'X-Request-ID': uuidMark };
      const { iban } = inTurn(number);
      return wireRequest('POST', `/v1/bulk-payments/${product}`, headers, bulkBody(iban, number));
    });
    const plan = {
      ...world.entrance,
      connections,
      seconds,
      warmUpSeconds,
      requests,
      once: false,
      expect: 201,
    };
    const { perSecond, p50, p99, cpu, unexpected, firstUnexpected } = await measure(plan, world.parts);
    return {
      value: perSecond * entriesEach,
      perSecond,
      p50,
      p99,
      notes: [cpuNote(cpu, `a bulk payment of ${entriesEach}`)],
      ...(unexpected > 0 ? { problem: `${unexpected} unexpected answers: ${firstUnexpected}` } : {}),
    };
  } finally {
    await world.stop();
  }
};

export const bulkRow: FigureRow = {
  name: 'post-bulk',
  title: `POST bulk payment of ${entriesEach}, entries validated`,
  targets: { sandbox: { atLeast: 10_000, unit: '/s' } },
  measure: postBulks,
};

/** Initiates, accepts and signs a bulk payment, each over NATS. Returns its id. */
const signBulk = async (
  serviceCalls: ServiceCalls,
  { psuId, iban }: Customer,
  bulk: number,
): Promise<string> => {
  const { paymentId, authorisationId = '' } = await serviceCalls.call(initiatePayment, {
    tppId: 'sandbox-tpp',
    service: 'bulk-payments',
    product,
    body: bulkBody(iban, bulk),
    idempotencyKey: { path: `POST /bulk-payments/${product}`, hash: '' },
    redirectUris: {},
  });
  await serviceCalls.call(acceptPayment, { paymentId, authorisationId, psuId });
  await serviceCalls.call(signPayment, { paymentId, authorisationId, psuId });
  return paymentId;
};

const numberPaid = async (client: Client, ids: readonly string[]): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(
    "SELECT count(*) FROM payments.payment_view WHERE stream_id = ANY($1::uuid[]) AND status = 'ACSC'",
    [ids],
  );
  return Number(rows[0]?.count ?? 0);
};

/** Signs a bulk payment for each payer. Returns the seconds from the moved clock until all of them are paid. */
const settleBulks = async (
  serviceCalls: ServiceCalls,
  client: Client,
  payers: readonly Customer[],
): Promise<number> => {
  const ids = await inParallel(payers, atOnce, async (payer, bulk) => signBulk(serviceCalls, payer, bulk));
  const begun = performance.now();
  await serviceCalls.call(advanceClock, { byMs: 2 * minuteMs });
  await waitUntil(async () => (await numberPaid(client, ids)) === ids.length, 25);
  return (performance.now() - begun) / 1000;
};

const measureSettlement = async (world: BenchWorld, bulks: number): Promise<Found> => {
  const payers = customers.slice(0, bulks);
  const entries = bulks * entriesEach;
  return withCalls(world.sandbox, async (serviceCalls) =>
    withClient(world.sandbox.databaseUrl('postgres'), async (client): Promise<Found> => {
      // A first round of the same size is not counted, as in the other rows of settlement.
      const secondsBefore = await settleBulks(serviceCalls, client, payers);
      const before = cpuSeconds(world.parts);
      const seconds = await settleBulks(serviceCalls, client, payers);
      const perSecond = entries / seconds;
      const perSecondBefore = Math.round(entries / secondsBefore).toLocaleString('en-US');
      return {
        value: perSecond,
        perSecond,
        notes: [
          `${bulks} bulk payments of ${entriesEach} entries in ${seconds.toFixed(2)} s; as many before them at ${perSecondBefore}/s`,
          cpuNote(
            cpuPerRequest(addCpu(new Map(), before, cpuSeconds(world.parts)), entries),
            'an entry, with POST and signature',
          ),
        ],
      };
    }),
  );
};

const bulkSettlement = async (options: FigureOptions): Promise<Found> => {
  const { payments = 10_000, say } = options;
  const world = await BenchWorld.start(options);
  try {
    const bulks = Math.max(1, Math.round(payments / entriesEach));
    say(`  twice ${bulks} bulk payments of ${entriesEach} entries are signed and settled`);
    return await measureSettlement(world, bulks);
  } finally {
    await world.stop();
  }
};

export const bulkSettlementRow: FigureRow = {
  name: 'bulk-settlement',
  title: `settlement of bulk payments of ${entriesEach}, entries`,
  targets: { sandbox: { atLeast: 1000, unit: '/s' } },
  measure: bulkSettlement,
};
