import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { eventTypesOf, fieldsOf } from '@xs2a/events/field-tables';
import type { NatsServer } from '@xs2a/local-servers/nats-server';
import { connectOnce } from '@xs2a/nats/connection';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { testHashKeys, testMasterKeys } from '@xs2a/runtime/testing/test-master-keys';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { ProjectionLog } from '../projections/projection-log.js';
import { inlineViewDifferences } from '../projections/inline-view-rebuild.js';
import { Relay } from '../publishing/relay.js';
import { EventStore } from '../streams/event-store.js';
import { allPublished } from '../testing/all-published.js';
import {
  type SampleDatabase,
  sampleRefusals,
  sampleResource,
  silent,
  startSampleDatabase,
} from '../testing/sample-stream.js';

interface Ordered {
  readonly type: 'ordered';
  readonly data: { readonly total: number; readonly lines: readonly { readonly article: string }[] };
}
type State = Ordered['data'];

const tableOfLine = { article: 'plain' } as const;
const eventTypes = eventTypesOf<Ordered>({
  ordered: { meaning: 'It was ordered.', fields: { total: 'plain', lines: tableOfLine } },
});

/** The compiler does not see the members `payee`: the object has passed through `unknown`. */
const canaries = ['CANARY-top', 'CANARY-nested', 'CANARY-object'];
const data = {
  total: 2,
  payee: canaries[0],
  lines: [{ article: 'pen', payee: canaries[1] }, { article: { payee: canaries[2] } }],
} as unknown as Ordered['data'];

let database: SampleDatabase;
let nats: NatsServer;
let pool: Pool;
let store: EventStore<Ordered, State>;
let relay: Relay;
const streamId = newId();

beforeAll(async () => {
  database = await startSampleDatabase();
  nats = await startNatsWithAssets({ dataDir: join(database.folder, 'nats') });
  pool = database.pool();
  store = new EventStore<Ordered, State>({
    pool,
    refusals: sampleRefusals,
    evolve: (_, event) => event.data,
    stateVersion: 1,
    view: { table: 'sample_view', columns: { total: 'bigint' }, row: ({ total }) => ({ total }) },
    eventTypes,
    personalData: {
      masterKeys: testMasterKeys,
      ofState: fieldsOf<State>({ total: 'plain', lines: tableOfLine }),
    },
    hashKeys: testHashKeys,
    clock: new Clock(true),
    logger: silent,
  });
  relay = new Relay({
    pool,
    store: {
      resource: { ...sampleResource, types: eventTypes },
      onAppended: (listener) => store.onAppended(listener),
      endAgain: async () => false,
    },
    natsUrl: nats.url,
    logger: silent,
  });
  relay.start();
  expect(await store.append({ streamId, events: [{ type: 'ordered', data }], actor: 'tester' })).toBe(
    'appended',
  );
  await allPublished(pool, nats.url);
}, 60_000);
afterAll(async () => {
  await relay.stop();
  await nats.stop();
  await database.stop();
});

const expectNoCanary = (text: string): void => {
  expect(text).toContain('pen');
  for (const canary of canaries) expect(text).not.toContain(canary);
};

describe('a member of an event that its field table does not name (ADR 64)', () => {
  it('is stored only encrypted, in the event and in the state', async () => {
    for (const [table, column] of [
      ['events', 'data'],
      ['sample_view', 'state'],
    ]) {
      const rows = await database.sql(`SELECT ${column}::text AS stored FROM payments.${table}`);
      expect(rows).toHaveLength(1);
      expectNoCanary(String(rows[0]?.['stored']));
    }
  });

  it('is published only encrypted', async () => {
    const connection = await connectOnce(nats.url, 'test');
    try {
      const { streams } = await jetstreamManager(connection);
      const message = await streams.getMessage('PAYMENTS', { seq: 1 });
      expectNoCanary(message?.string() ?? '');
    } finally {
      await connection.close();
    }
  });

  it('is not in the events that projections read', async () => {
    const { events } = await new ProjectionLog(eventTypes).page(pool, {}, { from: 0, head: 1, size: 1 });
    expect(events).toHaveLength(1);
    expectNoCanary(JSON.stringify(events));
  });

  it('is returned when the stream is loaded, and when its state is folded again', async () => {
    expect((await store.load(streamId))?.state).toEqual(data);
    expect(await inlineViewDifferences(pool, store)).toEqual([]);
    await database.sql("UPDATE payments.sample_view SET state = state::jsonb - '$state'");
    expect((await store.load(streamId))?.state).toEqual(data);
  });
});
