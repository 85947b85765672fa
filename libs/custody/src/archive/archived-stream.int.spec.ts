import { custodyTables } from '../custody.tables.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { type NatsServer } from '@xs2a/local-servers/nats-server';
import { connectOnce } from '@xs2a/nats/connection';
import { makeAssetsAt } from '@xs2a/nats/jetstream-assets';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { publishedEvents } from '@xs2a/event-store/verification/published-copy';
import { Relay } from '@xs2a/event-store/publishing/relay';
import { allPublished } from '@xs2a/event-store/testing/all-published';
import {
  archivedAtMs,
  idIn,
  makePartition,
  monthNamed,
  archivedSample,
  storedAtMs,
} from '../testing/sample-months.js';
import {
  counted,
  type SampleDatabase,
  type SampleStore,
  silent,
  startSampleDatabase,
  sampleResource,
  asPublished,
} from '@xs2a/event-store/testing/sample-stream';
import { anchorLog } from '@xs2a/event-store/verification/log-anchor';
import { verifyStreams } from '@xs2a/event-store/verification/verify-events';
import { archiveMonth } from './archive-month.js';

const march = monthNamed('2026-03');
let database: SampleDatabase;
let nats: NatsServer;
let pool: Pool;
let store: SampleStore;
let folder: string;

beforeAll(async () => {
  database = await startSampleDatabase({ more: custodyTables('payments') });
  nats = await startNatsWithAssets({ dataDir: join(database.folder, 'nats') });
  pool = database.pool();
  store = database.store(pool, new Clock(false, () => storedAtMs));
  folder = mkdtempSync(join(tmpdir(), 'xs2a-archive-'));
}, 60_000);
afterAll(async () => {
  await nats.stop();
  await database.stop();
  rmSync(folder, { recursive: true });
});

const append = async (streamId: string): Promise<void> => {
  await store.append({ streamId, events: [counted(1), counted(2)], actor: 'tester' });
};
const publish = async (): Promise<void> => {
  const relay = new Relay({ pool, store: asPublished(store), natsUrl: nats.url, logger: silent });
  relay.start();
  await allPublished(pool, nats.url);
  await relay.stop();
};
const compare = async () => {
  const connection = await connectOnce(nats.url, 'test');
  try {
    const positions: number[] = [];
    for await (const { event } of publishedEvents(connection, 'payments')) positions.push(event.pos);
    const verified = await verifyStreams(pool, {
      resource: sampleResource,
      nats: connection,
    });
    return { positions, findings: verified.findings, missing: verified.missing };
  } finally {
    await connection.close();
  }
};

describe('the published copy of a log with an archived month (docs/how-to/archive.md)', () => {
  it('may still contain archived events, and is refilled with the remaining events if it is lost', async () => {
    await makePartition(database, march);
    await append(newId());
    await append(idIn(march));
    await append(newId());
    await publish();
    await anchorLog(pool);
    await archiveMonth(database.superuserPool('payments'), {
      resource: archivedSample,
      month: march,
      folder,
      nowMs: archivedAtMs,
      newest: 1,
    });
    expect(await compare()).toEqual({ positions: [1, 2, 3, 4, 5, 6], findings: [], missing: 0 });

    const connection = await connectOnce(nats.url, 'test');
    await (await jetstreamManager(connection)).streams.delete('PAYMENTS');
    await connection.close();
    await makeAssetsAt(nats.url, {});
    await append(newId());
    await publish();
    expect(await compare()).toEqual({ positions: [1, 2, 5, 6, 7, 8], findings: [], missing: 0 });
  }, 60_000);
});
