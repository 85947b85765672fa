import { advanceClock } from '@xs2a/contracts/accounts.contract';
import { connections } from '../hops/hops.js';
import { startCpu } from '../load/cpu-time.js';
import { uuidMark, wireRequest } from '../load/load-plan.js';
import { measure, problemOf } from '../load/measure.js';
import { type FigureRow, formatRate, inWorld } from '../row.js';
import type { BenchWorld } from '../world/bench-world.js';
import { type Customer, customers, inTurn } from '../world/customers.js';
import { inParallel } from '../world/in-parallel.js';
import { bulkBody, bulksPath, entriesOfBulk, sign } from '../world/payments.js';
import { waitUntil } from '../world/wait-until.js';

const debtorsOfPost = 300;
const atOnce = 8;
const minuteMs = 60_000;

/** Posts bulk payments through the gateway, which responds once every entry is validated and durable. */
const postBulks = inWorld(async (world, { seconds, warmUpSeconds }) => {
  const tokens = await world.tokens.application(debtorsOfPost);
  const requests = tokens.map((token, number) => {
    const headers = { ...world.bearing(token), 'X-Request-ID': uuidMark };
    return wireRequest('POST', bulksPath, headers, bulkBody(inTurn(number).iban, number));
  });
  const plan = { ...world.entrance, connections, seconds, warmUpSeconds, requests, expect: 201 };
  const result = await measure(plan, world.parts);
  const { perSecond, p50, p99, cpu } = result;
  const cpuOf = `a bulk payment of ${entriesOfBulk}`;
  return { value: perSecond * entriesOfBulk, perSecond, p50, p99, cpu, cpuOf, problem: problemOf(result) };
});

const paid =
  "SELECT count(*) FROM payments.payment_view WHERE stream_id = ANY($1::uuid[]) AND status = 'ACSC'";

/** Signs a bulk payment for each payer. Returns the seconds from the clock move until all of them have been paid. */
const settleBulks = async (world: BenchWorld, payers: readonly Customer[]): Promise<number> => {
  const ids = await inParallel(payers, atOnce, async (payer, bulk) =>
    sign(world.calls, payer, bulkBody(payer.iban, bulk), { service: 'bulk-payments' }),
  );
  const begun = performance.now();
  await world.calls.call(advanceClock, { byMs: 2 * minuteMs });
  await waitUntil(async () => (await world.count(paid, [ids])) === ids.length, 25);
  return (performance.now() - begun) / 1000;
};

const bulkSettlement = inWorld(async (world, { payments = 10_000, say }) => {
  const payers = customers.slice(0, Math.max(1, Math.round(payments / entriesOfBulk)));
  const entries = payers.length * entriesOfBulk;
  const bulks = `${payers.length} bulk payments of ${entriesOfBulk} entries`;
  say(`  twice ${bulks} are signed and settled`);
  // As in the other settlement rows, a first round of the same size is not counted.
  const secondsBefore = await settleBulks(world, payers);
  const cpu = startCpu(world.parts);
  const seconds = await settleBulks(world, payers);
  return {
    value: entries / seconds,
    perSecond: entries / seconds,
    cpu: cpu(entries),
    cpuOf: 'an entry, with POST and signature',
    notes: [
      `${bulks} in ${seconds.toFixed(2)} s; as many before them at ${formatRate(entries / secondsBefore)}/s`,
    ],
  };
});

export const bulkRows: readonly FigureRow[] = [
  {
    name: 'post-bulk',
    title: `POST bulk payment of ${entriesOfBulk}, entries validated`,
    targets: { sandbox: { atLeast: 10_000, unit: '/s' } },
    measure: postBulks,
  },
  {
    name: 'bulk-settlement',
    title: `settlement of bulk payments of ${entriesOfBulk}, entries`,
    targets: { sandbox: { atLeast: 2500, unit: '/s' } },
    measure: bulkSettlement,
  },
];
