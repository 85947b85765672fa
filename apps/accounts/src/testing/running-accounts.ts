import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Call } from '@xs2a/contracts/call';
import type { Profile } from '@xs2a/domain/profile/profile';
import { readProfile } from '@xs2a/runtime/profile-file';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import { startPostgres } from '@xs2a/local-servers/postgres-server';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { BoundedNatsServer } from '@xs2a/calls/server.strategy';
import { CallClient } from '@xs2a/calls/client';
import { Health } from '@xs2a/observability/health';
import { createLogger } from '@xs2a/observability/logger';
import { isUnavailable } from '@xs2a/postgres/errors';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { createPool } from '@xs2a/postgres/pool';
import { Clock } from '@xs2a/runtime/clock';
import { readConfig, serviceConfig } from '@xs2a/runtime/config';
import { RuntimeModule } from '@xs2a/runtime/runtime.module';
import type { ServiceParts } from '@xs2a/runtime/service-parts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AccountsModule } from '../accounts.module.js';
import { config } from '../config.js';
import { migrations, schema } from '../migrations/index.js';

const deploy = new URL('../../../../deploy/', import.meta.url);

export interface RunningAccounts {
  /** A caller with its own clock. */
  readonly callClient: CallClient;
  readonly nats: NatsConnection;
  readonly clock: Clock;
  /** Connection string for the service's role. */
  readonly databaseUrl: string;
  /** Restarts the service on the same database. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

interface Parts {
  readonly profile?: Profile['name'];
  readonly profileChange?: Partial<Profile>;
  readonly coreBank?: 'sandbox' | 'nats';
}

/**
 * Runs the accounts service with its own PostgreSQL and NATS; tests call it as other services do. With the core
 * bank `nats`, the test is the core bank.
 */
export const runningAccounts = async (parts: Parts = {}): Promise<RunningAccounts> => {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false });
  const server = await startNatsWithAssets({ dataDir: join(folder, 'nats') });
  await prepareDatabases(postgres.url());
  await runMigrations({ url: postgres.url('xs2a_owner'), schema, migrations });
  const nats = await connect({ servers: server.url });
  let service = await start(server.url, postgres.url('xs2a_accounts'), parts);
  return {
    callClient: new CallClient(nats, new Clock(true)),
    nats,
    databaseUrl: postgres.url('xs2a_accounts'),
    get clock() {
      return service.clock;
    },
    restart: async () => {
      await service.close();
      service = await start(server.url, postgres.url('xs2a_accounts'), parts);
    },
    close: async () => {
      await service.close();
      await nats.close();
      await server.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const start = async (
  natsUrl: string,
  databaseUrl: string,
  { profile: name = 'sandbox', profileChange, coreBank = 'sandbox' }: Parts,
): Promise<{ clock: Clock; close(): Promise<void> }> => {
  const nats = await connect({ servers: natsUrl });
  const logger = createLogger('accounts', 'silent');
  const clock = new Clock(true);
  const pool = createPool({ url: databaseUrl, name: 'accounts-test', byKey: true });
  const settings = readConfig(
    { ...serviceConfig, ...config },
    {
      NATS_URL: natsUrl,
      DATABASE_URL: databaseUrl,
      PROFILE_FILE: fileURLToPath(new URL(`profiles/${name}.json`, deploy)),
      SANDBOX: 'true',
      CORE_BANK: coreBank,
      HASH_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
      SANDBOX_FIXTURES: fileURLToPath(new URL('sandbox/sandbox-fixtures.json', deploy)),
    },
  );
  const profile = { ...readProfile(settings.PROFILE_FILE), ...profileChange };
  const parts: ServiceParts = {
    config: settings,
    logger,
    clock,
    streams: nats,
    profile,
    pool,
    health: new Health(),
    callClient: new CallClient(nats, clock),
  };
  const app = await NestFactory.createMicroservice(
    RuntimeModule.forRoot(parts, AccountsModule.forRoot({ config: settings })),
    {
      strategy: new BoundedNatsServer({ nats, service: 'accounts', clock, logger, isUnavailable }),
      logger: false,
      abortOnError: false,
    },
  );
  await app.listen();
  // As the readiness check does in production, makes sure that the server knows the subscriptions before the
  // first call.
  await nats.flush();
  return { clock, close: () => stop(app, async () => (await pool.end(), nats.close())) };
};

const stop = async (app: INestApplicationContext, end: () => Promise<void>): Promise<void> => {
  await app.close();
  await end();
};

/** Handles a call in place of another service: returns its response, or the failures that it throws. */
export const answering = <Request, Answer>(
  nats: NatsConnection,
  call: Call<Request, Answer>,
  answer: (request: Request) => Answer,
): void => {
  nats.subscribe(call.subject, {
    callback: (_error, message) => {
      const { request } = JSON.parse(message.string()) as { request: Request };
      try {
        message.respond(JSON.stringify({ ok: answer(request) }));
      } catch (error) {
        if (!(error instanceof CallFailed)) throw error;
        message.respond(JSON.stringify({ failures: error.failures }));
      }
    },
  });
};
