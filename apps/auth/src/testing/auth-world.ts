import type { NatsConnection } from '@nats-io/transport-node';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import { startPostgres } from '@xs2a/local-servers/postgres-server';
import { connectStreams } from '@xs2a/nats/connection';
import { createLogger, type Logger } from '@xs2a/observability/logger';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { createPool } from '@xs2a/postgres/pool';
import { Clock } from '@xs2a/runtime/clock';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { GrantRevocations } from '../oauth/grants/grant-revocations.js';
import { migrations, schema } from '../migrations/index.js';

/** Creates the revocations of access tokens that are valid for 300 s. */
export const newRevocations = ({
  pool,
  nats,
  clock,
  logger,
}: Pick<AuthWorld, 'pool' | 'nats' | 'clock' | 'logger'>): GrantRevocations =>
  new GrantRevocations(pool, nats, clock, logger, { userTokenSeconds: 300, applicationTokenSeconds: 300 });

/** Real servers with this service's tables, accessed with the service's own database role. */
export interface AuthWorld {
  readonly pool: Pool;
  /** A pool that connects as the owner of the tables, for statements that the service itself may not run. */
  readonly owner: Pool;
  readonly nats: NatsConnection;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Advances the clock by this many seconds. */
  later(seconds: number): void;
  stop(): Promise<void>;
}

export const startAuthWorld = async (): Promise<AuthWorld> => {
  const folder = mkdtempSync(join(tmpdir(), 'xs2a-auth-'));
  const [postgres, server] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'postgres'), durable: false }),
    startNatsWithAssets({ dataDir: join(folder, 'nats') }),
  ]);
  await prepareDatabases(postgres.url());
  await runMigrations({ url: postgres.url('xs2a_owner'), schema, migrations });
  const logger = createLogger('test', 'silent');
  const nats = await connectStreams(server.url, 'test', logger);
  const pool = createPool({ url: postgres.url('xs2a_auth'), name: 'test', max: 20 });
  const owner = createPool({ url: postgres.url('xs2a_owner'), name: 'owner', max: 1 });
  const clock = new Clock(true);
  return {
    pool,
    owner,
    nats,
    clock,
    logger,
    later: (seconds) => clock.raiseTo(clock.offsetMs + seconds * 1000),
    stop: async () => {
      await Promise.all([pool.end(), owner.end()]);
      await nats.close();
      await Promise.all([postgres.stop(), server.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
