import { verifyPaymentPayees } from '@xs2a/contracts/payees/payees.contract';
import { paymentAuthorisation } from '@xs2a/contracts/payments.contract';
import { setTimeout as wait } from 'node:timers/promises';
import { startCpu } from '../load/cpu-time.js';
import { keepCommitTimes } from '../load/commit-times.js';
import { percentile, summarise } from '../load/latency.js';
import { type FigureRow, inWorld } from '../row.js';
import type { BenchWorld } from '../world/bench-world.js';
import { type Customer, customers, inTurn } from '../world/customers.js';
import { inParallel, numbers } from '../world/in-parallel.js';
import { atOnce, entriesOfBulk, initiate, instantBody, instantBulkBody } from '../world/payments.js';
import { waitUntil } from '../world/wait-until.js';

const product = 'instant-SEPA-credit-transfer';
const signaturesPerSecond = 200;

/** What a signer approves: payees were verified and shown. */
interface Ready {
  readonly paymentId: string;
  readonly authorisationId: string;
  readonly psuId: string;
}

const makeReady = async (
  { calls }: BenchWorld,
  { psuId }: Customer,
  body: Record<string, unknown>,
  service: 'payments' | 'bulk-payments' = 'payments',
): Promise<Ready> => {
  const { paymentId, authorisationId = '' } = await initiate(calls, body, { of: product, service });
  const ready = { paymentId, authorisationId, psuId };
  await calls.call(paymentAuthorisation.identify, ready);
  await calls.call(verifyPaymentPayees, { ...ready, language: 'en', textsVersion: 'bench' });
  return ready;
};

const ended = `SELECT count(*) FROM payments.payment_view
  WHERE stream_id = ANY($1::uuid[]) AND status IN ('ACSC', 'PART', 'RJCT')`;
const paid =
  "SELECT count(*) FROM payments.payment_view WHERE stream_id = ANY($1::uuid[]) AND status = 'ACSC'";
/** Milliseconds from the commit of a signature to the commit of the event that makes the payment ACSC. */
const delays = `SELECT (extract(epoch FROM pg_xact_commit_timestamp(paid.xmin) - pg_xact_commit_timestamp(signed.xmin)) * 1000)::float8 AS ms
  FROM payments.events signed JOIN payments.events paid USING (stream_id)
  WHERE stream_id = ANY($1::uuid[]) AND signed.type = 'signed' AND paid.type IN ('settled', 'completed')`;

const waitForEnd = async (world: BenchWorld, ids: readonly string[]): Promise<void> =>
  waitUntil(async () => (await world.count(ended, [ids])) === ids.length, 25);

interface Signatures {
  /** Those that were sent more than 100 ms after their time. */
  readonly late: number;
  readonly failed: number;
}

/** Signs at a steady rate, whether or not earlier signatures were answered. */
const signSteadily = async ({ calls }: BenchWorld, all: readonly Ready[]): Promise<Signatures> => {
  const begun = performance.now();
  let late = 0;
  let failed = 0;
  const signatures: Promise<void>[] = [];
  for (const [number, ready] of all.entries()) {
    const ahead = begun + (number * 1000) / signaturesPerSecond - performance.now();
    if (ahead > 1) await wait(ahead);
    if (ahead < -100) late += 1;
    const signature = calls.call(paymentAuthorisation.sign, ready).then(
      () => undefined,
      () => {
        failed += 1;
      },
    );
    signatures.push(signature);
  }
  await Promise.all(signatures);
  return { late, failed };
};

const measureInstant = inWorld(
  async (world, { seconds, warmUpSeconds, say }) => {
    await keepCommitTimes(world);
    const warmUp = warmUpSeconds * signaturesPerSecond;
    const payments = seconds * signaturesPerSecond;
    say(`  ${warmUp + payments} payments are initiated, their payees verified`);
    const ready = await inParallel(numbers(warmUp + payments), atOnce, async (number) => {
      const payer = inTurn(number);
      return makeReady(world, payer, instantBody(payer.iban, number));
    });
    await signSteadily(world, ready.slice(0, warmUp));
    const measured = ready.slice(warmUp);
    const ids = measured.map(({ paymentId }) => paymentId);
    const cpu = startCpu(world.parts);
    const { late, failed } = await signSteadily(world, measured);
    if (failed > 0) return { value: Number.NaN, problem: `${failed} of ${payments} signatures failed` };
    await waitForEnd(world, ids);
    const cpuTimes = cpu(payments);
    const settled = await world.count(paid, [ids]);
    const ms = (await world.query<{ ms: number }>(delays, [ids])).map((row) => row.ms);
    const { p50, p99 } = summarise(ms, seconds);
    const slowest = percentile(Float64Array.from(ms).sort(), 0.999);
    return {
      value: p99,
      perSecond: signaturesPerSecond,
      p50,
      p99,
      cpu: cpuTimes,
      cpuOf: 'a payment, from its signature',
      notes: [`p99.9 ${Math.round(slowest)} ms; ${late} of ${payments} signatures were sent late`],
      problem: settled === payments ? undefined : `of ${payments} payments ${settled} are ACSC`,
    };
  },
  () => ({ profile: 'bg-euro' }),
);

const measureBulk = inWorld(
  async (world, { say }) => {
    await keepCommitTimes(world);
    const round = async (number: number): Promise<{ readonly ms: number; readonly settled: number }> => {
      const payer = customers[number];
      if (payer === undefined) throw new Error('there are no customers');
      const ready = await makeReady(world, payer, instantBulkBody(payer.iban, number), 'bulk-payments');
      await world.calls.call(paymentAuthorisation.sign, ready);
      const ids = [ready.paymentId];
      await waitForEnd(world, ids);
      const [delay] = await world.query<{ ms: number }>(delays, [ids]);
      return { ms: delay?.ms ?? Number.NaN, settled: await world.count(paid, [ids]) };
    };
    say(`  twice a bulk payment of ${entriesOfBulk} instant payments is signed and settled`);
    const first = await round(0);
    const { ms, settled } = await round(1);
    return {
      value: ms / 1000,
      notes: [`the first took ${(first.ms / 1000).toFixed(2)} s`],
      problem: settled === 1 ? undefined : 'the bulk payment is not ACSC',
    };
  },
  () => ({ profile: 'bg-euro' }),
);

export const instantRows: readonly FigureRow[] = [
  {
    name: 'instant',
    title: `instant payments, signature to ACSC, ${signaturesPerSecond}/s`,
    targets: { sandbox: { atMost: 1000, unit: 'ms' }, production: { atMost: 2000, unit: 'ms' } },
    measure: measureInstant,
  },
  {
    name: 'instant-bulk',
    title: `a bulk payment of ${entriesOfBulk} instant payments, signature to ACSC`,
    targets: { sandbox: { atMost: 60, unit: 's' } },
    measure: measureBulk,
  },
];
