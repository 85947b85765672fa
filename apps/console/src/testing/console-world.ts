import type { CallRow, CallRowBatch } from '@xs2a/contracts/console.contract';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { startPostgres } from '@xs2a/local-servers/postgres-server';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import { createPool } from '@xs2a/postgres/pool';
import { readConfig } from '@xs2a/runtime/config';
import { newId } from '@xs2a/runtime/ids';
import { type InProcessService, startInProcess } from '@xs2a/runtime/testing/service-in-process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { config } from '../config.js';
import { ConsoleModule } from '../console.module.js';
import { dataSourceOptions } from '../data-source.js';
import { migrations, schema } from '../migrations/index.js';

/** Two instances of the service on real servers. */
export interface ConsoleWorld {
  readonly instances: readonly InProcessService[];
  /** Starts another instance, which the caller stops. The others may be stopped before. */
  another(): Promise<InProcessService>;
  readonly callClient: InProcessService['callClient'];
  readonly natsUrl: string;
  /** With the service's role. */
  readonly databaseUrl: string;
  /** With the role of the schemas' owner. */
  readonly ownerUrl: string;
  /** A pool with the privileges of the service's role. */
  readonly pool: Pool;
  /** A TypeORM data source on that pool. */
  readonly source: DataSource;
  stop(): Promise<void>;
}

/** How long calls and actions are kept, and the secret of the tags of PSUs. */
const { DATABASE_URL: _, ...others } = config;
const kept = readConfig(others, { CONSOLE_COOKIE_SECRET: 'a'.repeat(32) });

export const startConsoleWorld = async (
  settings: Readonly<Record<string, unknown>> = {},
): Promise<ConsoleWorld> => {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-console-'));
  const [postgres, nats] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'postgres'), durable: false }),
    startNatsWithAssets({ dataDir: join(folder, 'nats') }),
  ]);
  await prepareDatabases(postgres.url());
  await runMigrations({ url: postgres.url('xs2a_owner'), schema, migrations });
  const databaseUrl = postgres.url('xs2a_console');
  const start = async (): Promise<InProcessService> => {
    const options = {
      name: 'console',
      module: ConsoleModule,
      natsUrl: nats.url,
      databaseUrl,
      settings: { ...kept, ...settings },
    };
    const service = await startInProcess(options);
    let stopped: Promise<void> | undefined;
    return { ...service, stop: async () => (stopped ??= service.stop()) };
  };
  const instances = await Promise.all([start(), start()]);
  const pool = createPool({ url: databaseUrl, name: 'test' });
  return {
    instances,
    another: start,
    callClient: instances[0].callClient,
    natsUrl: nats.url,
    databaseUrl,
    ownerUrl: postgres.url('xs2a_owner'),
    pool,
    source: await new DataSource(dataSourceOptions(pool)).initialize(),
    stop: async () => {
      for (const instance of instances) await instance.stop();
      await pool.end();
      await Promise.all([postgres.stop(), nats.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

export const callRow = (changes: Partial<CallRow> = {}): CallRow => ({
  at: new Date().toISOString(),
  requestId: newId(),
  tppId: 'tpp',
  operation: 'readPayment',
  status: 200,
  ms: 4.5,
  bytes: 312,
  ...changes,
});

export const callBatch = (rows: readonly CallRow[], leftOut: CallRowBatch['leftOut'] = []): CallRowBatch => ({
  batchId: newId(),
  rows,
  leftOut,
});
