import { eventType, type EventTypes } from '@xs2a/events/event-types';
import { fieldsOf } from '@xs2a/events/field-tables';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { createLogger } from '@xs2a/observability/logger';
import { createPool } from '@xs2a/postgres/pool';
import { sessionLockTable } from '@xs2a/postgres/session-lock';
import { Clock } from '@xs2a/runtime/clock';
import type { HashKeys } from '@xs2a/postgres/hash-keys';
import { testHashKeys } from '@xs2a/runtime/testing/test-master-keys';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import type { Published } from '../publishing/publisher.js';
import { endAgain } from '../recovery/end-again.js';
import type { Resource } from '../resource.js';
import type { AppendGuard } from '../streams/append.js';
import type { Refusals } from '../streams/decision.js';
import { EventStore } from '../streams/event-store.js';
import { eventStoreTables } from '../service-tables.js';

/**
 * The smallest stream with a rule that requires a lock: a counter that never goes below zero. For tests of this
 * library.
 */
export type SampleEvent =
  | {
      readonly type: 'counted';
      readonly data: { readonly by: number; readonly note?: string; readonly detail?: unknown };
    }
  | { readonly type: 'emptied'; readonly data: Readonly<Record<string, never>> };
export interface SampleState {
  readonly total: number;
  readonly note?: string;
}

export const sampleTypes: EventTypes<SampleEvent['type']> = {
  counted: eventType('A number was counted.'),
  emptied: eventType('The counter was emptied.'),
};

export type SampleStore = EventStore<SampleEvent, SampleState>;

export const silent = createLogger('event-store-test', 'silent');
export const counted = (by: number, note?: string): SampleEvent => ({
  type: 'counted',
  data: { by, note },
});

export interface SampleDatabase {
  readonly folder: string;
  /** Returns a pool with the privileges of the service `payments`. Closed by stop(). */
  pool(name?: string): Pool;
  /** Returns a pool with all privileges and a schema as its search path. Closed by stop(). */
  superuserPool(schema: string, name?: string): Pool;
  store(
    pool: Pool,
    clock?: Clock,
    eventTypes?: EventTypes<SampleEvent['type']>,
    appendBatching?: boolean,
    hashKeys?: HashKeys,
    guard?: AppendGuard,
  ): EventStore<SampleEvent, SampleState>;
  /** Runs SQL as the superuser. */
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Kills PostgreSQL as in a crash and restarts it with the same data. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** The error of a refusal by the sample store. */
class Refused extends Error {
  override readonly name = 'Refused';

  constructor(readonly refusal: string) {
    super(refusal);
  }
}
export const sampleRefusals: Refusals<string> = {
  unknownStream: 'unknown-stream',
  notNow: 'not-now',
  toError: (refusal) => new Refused(refusal),
};

const evolve = (state: SampleState | undefined, event: SampleEvent): SampleState =>
  event.type === 'counted'
    ? { total: (state?.total ?? 0) + event.data.by, note: event.data.note }
    : { total: 0 };

const view = {
  table: 'sample_view',
  columns: { total: 'bigint', note: 'text' },
  row: ({ total, note }: SampleState) => ({ total, note }),
} as const;

/** The sample streams, as a service hands them to the engine. They use the schema and the stream of payments. */
export const sampleResource: Resource = {
  name: 'payments',
  views: [
    {
      table: 'sample_view',
      fields: fieldsOf<SampleState>({ total: 'plain', note: 'plain' }),
      folding: () => ({
        evolve,
        stateVersion: 1,
        view: { table: 'sample_view', columns: {}, row: () => ({}) },
        eventTypes: sampleTypes,
      }),
    },
  ],
  types: sampleTypes,
  statusesAfter: (types) => types,
  holds: () => false,
  endsPart: () => false,
};

/** A sample store, as a service hands it to the relay. */
export const asPublished = (store: SampleStore): Published => ({
  resource: sampleResource,
  onAppended: (listener) => store.onAppended(listener),
  idempotencyKeys: store.idempotencyKeys,
  endAgain: async (lost, mayTake) => endAgain(store, lost, mayTake),
});

const sampleTables = `
  ${eventStoreTables('payments', 'xs2a_payments')}
  ${sessionLockTable('payments')}
  CREATE TABLE payments.sample_view (stream_id uuid PRIMARY KEY, version int NOT NULL, last_hash bytea NOT NULL,
    state json NOT NULL, total bigint NOT NULL, note text);
  GRANT SELECT, INSERT, UPDATE ON payments.sample_view TO xs2a_payments;`;

/**
 * Starts a new PostgreSQL with the event store's tables in the schema `payments`. `more` is SQL that creates other
 * tables.
 */
export const startSampleDatabase = async ({ durable = false, more = '' } = {}): Promise<SampleDatabase> => {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-events-'));
  let server: PostgresServer = await startPostgres({ dataDir: join(folder, 'pg'), durable });
  await prepareDatabases(server.url());
  const superuserUrl = new URL(server.url());
  superuserUrl.pathname = '/xs2a';
  const superuser = new Pool({ connectionString: superuserUrl.href, max: 2 });
  // The server may stop before the connections have closed.
  superuser.on('error', () => undefined);
  await superuser.query(sampleTables + more);
  const pools: Pool[] = [];
  return {
    folder,
    pool: (name = 'event-store-test') => {
      const pool = createPool({
        url: server.url('xs2a_payments'),
        name,
        max: 8,
        logger: silent,
      });
      pools.push(pool);
      return pool;
    },
    superuserPool: (schema, name = 'owner') => {
      const url = new URL(superuserUrl);
      url.searchParams.set('options', `-c search_path=${schema}`);
      const pool = createPool({ url: url.href, name, max: 4, logger: silent });
      pools.push(pool);
      return pool;
    },
    store: (
      pool,
      clock = new Clock(true),
      eventTypes = sampleTypes,
      appendBatching = true,
      hashKeys = testHashKeys,
      guard = undefined,
    ) =>
      new EventStore<SampleEvent, SampleState>({
        pool,
        evolve,
        stateVersion: 1,
        view,
        eventTypes,
        appendBatching,
        hashKeys,
        clock,
        logger: silent,
        refusals: sampleRefusals,
        guard,
      }),
    sql: async (text, values) => (await superuser.query(text, values)).rows as Record<string, unknown>[],
    crash: async () => {
      const { port } = server;
      server.kill();
      await server.exited;
      server = await startPostgres({ dataDir: join(folder, 'pg'), port, durable });
    },
    stop: async () => {
      await Promise.all([superuser, ...pools].map(async (pool) => pool.end()));
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
