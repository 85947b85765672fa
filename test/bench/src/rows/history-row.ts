import { rejectPayment } from '@xs2a/contracts/payments.contract';
import { jetstreamManager } from '@nats-io/jetstream';
import { eventStreams, type PublishedEvent } from '@xs2a/contracts/published-event';
import { connectStreams } from '@xs2a/nats/connection';
import { createLogger } from '@xs2a/observability/logger';
import type { Client } from 'pg';
import { BenchWorld, must } from '../world/bench-world.js';
import { withCalls } from '../world/direct-calls.js';
import type { FigureOptions, FigureRow, Found } from '../figure.js';
import { connections } from '../hops/hops.js';
import { measure, type Measured } from '../load/measure.js';
import { copyPayment } from '../world/payment-copies.js';
import { postPayments, readStatus } from './payment-rows.js';
import type { Prepared } from '../row.js';
import { paymentBody } from '../world/signed-payments.js';
import { inTurn } from '../world/customers.js';
import { waitUntil } from '../world/wait-until.js';
import { withClient } from '../world/with-client.js';

const statusesRead = 1000;

/** A payment that its PSU refused: two events, and nothing of it is ever due. */
const rejectedPayment = async (world: BenchWorld, client: Client): Promise<string> => {
  const { psuId, iban } = inTurn(0);
  const answer = await world.tpp.call(
    'POST',
    '/v1/payments/domestic-credit-transfer-BGN',
    await world.tpp.applicationToken(),
    { headers: { 'X-Request-ID': crypto.randomUUID() }, json: paymentBody(iban) },
  );
  const { paymentId } = must<{ paymentId: string }>(201, answer);
  const { rows } = await client.query<{ id: string }>(
    `SELECT data->>'authorisationId' AS id FROM payments.events WHERE stream_id = $1 AND version = 1`,
    [paymentId],
  );
  await withCalls(world.sandbox, async (serviceCalls) =>
    serviceCalls.call(rejectPayment, {
      paymentId,
      authorisationId: rows[0]?.id ?? '',
      psuId,
      reason: 'psu-refused',
    }),
  );
  return paymentId;
};

/** The copies are published and projected like any payment before anything is measured again. */
const digested = async ({ sandbox }: BenchWorld, client: Client): Promise<void> => {
  const nats = await connectStreams(sandbox.natsUrl(), 'bench', createLogger('bench', 'silent'));
  const { streams } = await jetstreamManager(nats);
  await waitUntil(async () => {
    const { rows } = await client.query<{ head: string; known: string }>(
      `SELECT (SELECT max(pos) FROM payments.log) AS head,
        (SELECT min(pos) FROM payments.projection WHERE live) AS known`,
    );
    const { state } = await streams.info(eventStreams.payments);
    const last = await streams.getMessage(eventStreams.payments, { seq: state.last_seq });
    const head = Number(rows[0]?.head);
    return Number(rows[0]?.known) >= head && (last?.json<PublishedEvent>().pos ?? 0) >= head;
  }, 500);
  await nats.drain();
  await client.query('CHECKPOINT');
};

interface Pair {
  readonly post: Measured;
  readonly status: Measured;
}
const addCpu = ({ cpu }: Measured): number => cpu.reduce((sum, [, ms]) => sum + ms, 0);

/** The payments service has just started, both times; so a first pair only warms it up. */
const measurePair = async (world: BenchWorld, { seconds, warmUpSeconds }: FigureOptions): Promise<Pair> => {
  const one = async (prepared: Prepared): Promise<Measured> =>
    measure(
      { ...world.entrance, connections, seconds, warmUpSeconds, once: false, ...prepared },
      world.parts,
    );
  const pair = async (): Promise<Pair> => ({
    post: await one(await postPayments(world)),
    status: await one(await readStatus(world, statusesRead)),
  });
  await pair();
  return pair();
};

const history = async (options: FigureOptions): Promise<Found> => {
  const { payments = 200_000, say } = options;
  const world = await BenchWorld.start(options);
  try {
    return await withClient(world.sandbox.databaseUrl('postgres'), async (client): Promise<Found> => {
      const model = await rejectedPayment(world, client);
      await world.sandbox.services.payments.restart();
      const few = await measurePair(world, options);
      await world.sandbox.services.payments.stop();
      await copyPayment(client, model, {
        copies: payments,
        onProgress: (done) => say(`  ${done} payments are in place`),
      });
      await world.sandbox.services.payments.start();
      await digested(world, client);
      const many = await measurePair(world, options);
      const growth = (of: 'post' | 'status'): number => addCpu(many[of]) / addCpu(few[of]);
      const describeGrowth = (of: 'post' | 'status'): string =>
        `CPU ms ${addCpu(few[of]).toFixed(2)} → ${addCpu(many[of]).toFixed(2)}, ${Math.round(few[of].perSecond)}/s → ${Math.round(many[of].perSecond)}/s`;
      const unexpected = [few, many].reduce(
        (sum, { post, status }) => sum + post.unexpected + status.unexpected,
        0,
      );
      return {
        value: Math.max(growth('post'), growth('status')),
        ratio: Math.max(growth('post'), growth('status')),
        notes: [
          `the growth of CPU time per request, with ${payments} payments stored: POST payment ${describeGrowth('post')}`,
          `GET status ${describeGrowth('status')}`,
        ],
        ...(unexpected > 0 ? { problem: `${unexpected} unexpected answers` } : {}),
      };
    });
  } finally {
    await world.stop();
  }
};

export const historyRow: FigureRow = {
  name: 'history',
  title: 'POST payment, GET status: many payments stored to few',
  targets: { sandbox: { atMost: 1.2, unit: '×' } },
  measure: history,
};
