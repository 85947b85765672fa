import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { NatsServer } from '@xs2a/local-servers/nats-server';
import { connectOnce } from '@xs2a/nats/connection';
import { makeAssetsAt, makeConsumer } from '@xs2a/nats/jetstream-assets';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import { newId } from '@xs2a/runtime/ids';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { Relay } from '../publishing/relay.js';
import { allPublished } from '../testing/all-published.js';
import {
  asPublished,
  counted,
  type SampleDatabase,
  sampleResource,
  silent,
  startSampleDatabase,
} from '../testing/sample-stream.js';
import { readCopyReport, saysJetStreamIsDown } from './copy-report.js';
import { copyVerificationTable, recordCopyVerification } from './copy-verification.js';
import { verifyStreams } from './verify-events.js';

/** The timeout of a NATS call between services, in milliseconds. The report must fail earlier than that. */
const callAnsweredWithinMs = 1800;
const reader = { stream: 'PAYMENTS', durable: 'reader', filter: 'xs2a.payments.counted.>' };
let database: SampleDatabase;
let server: NatsServer;
let nats: NatsConnection;
let pool: Pool;

beforeAll(async () => {
  database = await startSampleDatabase({ more: copyVerificationTable('payments', 'xs2a_payments') });
  server = await startNatsWithAssets({ dataDir: join(database.folder, 'nats') });
  nats = await connectOnce(server.url, 'test');
  pool = database.pool();
}, 60_000);
afterAll(async () => {
  await nats.close();
  await server.stop();
  await database.stop();
});
beforeEach(async () => {
  await database.sql('TRUNCATE payments.events, payments.log, payments.unsequenced, payments.sample_view');
  await (await jetstreamManager(nats)).streams.delete('PAYMENTS');
  await makeAssetsAt(server.url);
});

const report = async () => readCopyReport({ nats, pool, resource: 'payments', consumers: [reader] });
const publish = async (count: number): Promise<void> => {
  const store = database.store(pool);
  for (let index = 0; index < count; index += 1)
    await store.append({ streamId: newId(), events: [counted(1)], actor: 'tester' });
  const relay = new Relay({ pool, store: asPublished(store), natsUrl: server.url, logger: silent });
  relay.start();
  await allPublished(pool, server.url);
  await relay.stop();
};

describe('the report on the JetStream copy of a log', () => {
  it('shows the messages, the bytes and the last position of the stream, and the end of the log', async () => {
    await publish(3);
    await database.store(pool).append({ streamId: newId(), events: [counted(1)], actor: 'tester' });
    await database.sql(
      'INSERT INTO payments.log SELECT 4, stream_id, version FROM payments.unsequenced; TRUNCATE payments.unsequenced',
    );
    const { stream, head, state } = await report();
    expect({ stream, head }).toEqual({ stream: 'PAYMENTS', head: 4 });
    expect(state).toMatchObject({ messages: 3, lastSequence: 3, missing: 0, published: 3 });
    expect(state?.bytes).toBeGreaterThan(100);
    expect(state?.maxBytes).toBeUndefined();
  });

  it('shows the size limit of an empty stream, and no last position', async () => {
    await makeAssetsAt(server.url, { payments: 200_000 });
    const { state } = await report();
    expect(state).toMatchObject({ messages: 0, maxBytes: 200_000 });
    expect(state).not.toHaveProperty('published');
  });

  it('shows no last position of a stream whose last message is not an event', async () => {
    await jetstream(nats).publish('xs2a.payments.foreign.0', 'text');
    expect((await report()).state).toMatchObject({ messages: 1 });
    expect((await report()).state).not.toHaveProperty('published');
  });

  it('shows the undelivered and the unacknowledged events of a consumer, and when the oldest of them was published', async () => {
    const manager = await jetstreamManager(nats);
    await makeConsumer(manager, reader);
    await publish(3);
    const consumer = await jetstream(nats).consumers.get('PAYMENTS', 'reader');
    const first = await consumer.next();
    const second = await consumer.next();
    expect(second?.seq).toBe(2);
    first?.ack();
    await nats.flush();
    const { time } = (await manager.streams.getMessage('PAYMENTS', { seq: 2 })) ?? {};
    expect((await report()).consumers).toEqual([
      {
        consumer: 'reader',
        state: {
          pending: 1,
          ackPending: 1,
          redelivered: 0,
          ackFloor: 1,
          isReading: false,
          oldestAt: time?.toISOString(),
        },
      },
    ]);
  });

  it('shows no oldest event of a consumer that has acknowledged every event', async () => {
    await makeConsumer(await jetstreamManager(nats), reader);
    const [{ state } = { state: undefined }] = (await report()).consumers;
    expect(state).toMatchObject({ pending: 0, ackPending: 0 });
    expect(state).not.toHaveProperty('oldestAt');
  });

  it('shows the latest verification of the copy until the stream is deleted and recreated', async () => {
    const owner = database.superuserPool('payments');
    const verify = async (): Promise<void> =>
      recordCopyVerification(owner, await verifyStreams(owner, { resource: sampleResource, nats }));
    expect((await report()).state).not.toHaveProperty('verified');
    await publish(2);
    await verify();
    const { verified } = (await report()).state ?? {};
    expect(verified).toMatchObject({ upTo: 2, copies: 2, missing: 0, findings: 0 });
    await publish(1);
    await database.sql("UPDATE payments.events SET type = 'emptied'");
    expect((await report()).state?.verified).toEqual(verified);
    await verify();
    expect((await report()).state?.verified).toMatchObject({ upTo: 3, copies: 3, findings: 6 });
    await (await jetstreamManager(nats)).streams.delete('PAYMENTS');
    await makeAssetsAt(server.url);
    expect((await report()).state).not.toHaveProperty('verified');
  });

  it('still shows the latest comparison with the copy after a verification of the log only', async () => {
    const owner = database.superuserPool('payments');
    await publish(1);
    await recordCopyVerification(owner, await verifyStreams(owner, { resource: sampleResource, nats }));
    await recordCopyVerification(owner, await verifyStreams(owner, { resource: sampleResource }));
    expect((await report()).state?.verified).toMatchObject({ upTo: 1 });
  });

  it('fails within the timeout of a NATS call if JetStream stops answering, after one query of the state of the stream', async () => {
    await publish(1);
    const asked: string[] = [];
    const silentAfterTheFirst = Object.create(nats, {
      request: {
        value: async (subject: string, ...more: [Uint8Array]) => {
          asked.push(subject);
          return asked.length === 1 ? nats.request(subject, ...more) : new Promise(() => {});
        },
      },
    }) as NatsConnection;
    const startedAt = performance.now();
    const reported = readCopyReport({
      nats: silentAfterTheFirst,
      pool,
      resource: 'payments',
      consumers: [reader],
    });
    const error: unknown = await reported.catch((thrown: unknown) => thrown);
    expect(saysJetStreamIsDown(error)).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(callAnsweredWithinMs);
    expect(asked).toEqual([
      '$JS.API.STREAM.INFO.PAYMENTS',
      '$JS.API.STREAM.MSG.GET.PAYMENTS',
      '$JS.API.CONSUMER.INFO.PAYMENTS.reader',
    ]);
  });

  it('contains a missing consumer and a missing stream without a state', async () => {
    expect((await report()).consumers).toEqual([{ consumer: 'reader' }]);
    await (await jetstreamManager(nats)).streams.delete('PAYMENTS');
    expect(await report()).toEqual({ stream: 'PAYMENTS', head: 0, consumers: [{ consumer: 'reader' }] });
  });
});
