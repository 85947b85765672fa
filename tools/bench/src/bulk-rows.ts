import { acceptPayment, initiatePayment, signPayment } from '@xs2a/contracts/payments.contract';
import { advanceClock } from '@xs2a/contracts/accounts.contract';
import type { ServiceCalls } from '@xs2a/sandbox/service-calls';
import type { Client } from 'pg';
import { BenchWorld } from './bench-world.js';
import { inParallel, withCalls } from './direct-calls.js';
import { addCpu, cpuPerRequest, cpuSeconds } from './cpu-time.js';
import { cpuNote, type FigureOptions, type FigureRow, type Found } from './figure.js';
import { uuidMark, wireRequest } from './load-plan.js';
import type { Prepared, Row } from './row.js';
import { payersIn } from './settlement-rows.js';
import { type Payer, paymentBody } from './signed-payments.js';
import { waitUntil } from './wait-until.js';
import { withClient } from './with-client.js';

const product = 'domestic-credit-transfer-BGN';
/** The most that a bulk payment may have (contract 9). */
const entriesEach = 250;
const atOnce = 8;
const minuteMs = 60_000;

const bulkBody = (iban: string): Record<string, unknown> => {
  const { debtorAccount, ...entry } = paymentBody(iban);
  return { debtorAccount, payments: Array.from({ length: entriesEach }, () => entry) };
};

const postBulks = async (world: BenchWorld): Promise<Prepared> => {
  const { accounts } = await world.psu(10);
  const headers = { Authorization: `Bearer ${world.applicationToken}`, 'X-Request-ID': uuidMark };
  return {
    requests: accounts.map(({ iban }) =>
      wireRequest('POST', `/v1/bulk-payments/${product}`, headers, bulkBody(iban)),
    ),
    expect: 201,
  };
};

export const bulkRow: Row = {
  name: 'post-bulk',
  title: `POST bulk payment of ${entriesEach}`,
  long: true,
  prepare: postBulks,
};

/** Initiates, accepts and signs a bulk payment, each over NATS. Answers its id. */
const signBulk = async (requester: ServiceCalls, { psuId, iban }: Payer): Promise<string> => {
  const { paymentId, authorisationId = '' } = await requester.call(initiatePayment, {
    tppId: 'sandbox-tpp',
    service: 'bulk-payments',
    product,
    body: bulkBody(iban),
    attempt: { path: `POST /bulk-payments/${product}`, hash: '' },
    redirectUris: {},
  });
  await requester.call(acceptPayment, { paymentId, authorisationId, psuId });
  await requester.call(signPayment, { paymentId, authorisationId, psuId });
  return paymentId;
};

const numberPaid = async (client: Client, ids: readonly string[]): Promise<number> => {
  const { rows } = await client.query<{ count: string }>(
    "SELECT count(*) FROM payments.payment_view WHERE stream_id = ANY($1::uuid[]) AND status = 'ACSC'",
    [ids],
  );
  return Number(rows[0]?.count ?? 0);
};

/** Signs a bulk payment for each payer; answers the seconds from the moved clock until all of them are paid. */
const settleBulks = async (
  requester: ServiceCalls,
  client: Client,
  payers: readonly Payer[],
): Promise<number> => {
  const ids = await inParallel(payers, atOnce, async (payer) => signBulk(requester, payer));
  const begun = performance.now();
  await requester.call(advanceClock, { byMs: 2 * minuteMs });
  await waitUntil(async () => (await numberPaid(client, ids)) === ids.length, 25);
  return (performance.now() - begun) / 1000;
};

const measureSettlement = async (world: BenchWorld, bulks: number): Promise<Found> => {
  const payers = await payersIn(world, bulks);
  const entries = bulks * entriesEach;
  return withCalls(world.sandbox, async (requester) =>
    withClient(world.sandbox.databaseUrl('postgres'), async (client): Promise<Found> => {
      // As many before, which count for nothing, as in the other rows of settlement.
      const secondsBefore = await settleBulks(requester, client, payers);
      const before = cpuSeconds(world.parts);
      const seconds = await settleBulks(requester, client, payers);
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

const bulkSettlement = async ({
  folder,
  profileInto,
  payments = 10_000,
  say,
}: FigureOptions): Promise<Found> => {
  const world = await BenchWorld.start(folder, profileInto);
  try {
    const bulks = Math.max(1, Math.round(payments / entriesEach));
    say(`  twice ${bulks} bulk payments of ${entriesEach} entries are signed and settled`);
    return await measureSettlement(world, bulks);
  } finally {
    await world.sandbox.stop();
  }
};

export const bulkSettlementRow: FigureRow = {
  name: 'bulk-settlement',
  title: `settlement of bulk payments of ${entriesEach}, entries`,
  target: { atLeast: 1000, unit: '/s' },
  long: true,
  measure: bulkSettlement,
};
