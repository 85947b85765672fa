import 'reflect-metadata';
import type { NatsConnection } from '@nats-io/transport-node';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Profile } from '@xs2a/domain/profile/profile';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { connectCalls } from '@xs2a/nats/connection';
import { BoundedNatsServer } from '@xs2a/calls/server.strategy';
import { CallClient } from '@xs2a/calls/client';
import { Health } from '@xs2a/observability/health';
import { createLogger } from '@xs2a/observability/logger';
import { isUnavailable } from '@xs2a/postgres/errors';
import { createPool } from '@xs2a/postgres/pool';
import type { Pool } from 'pg';
import { Clock } from '../clock.js';
import { RuntimeModule } from '../runtime.module.js';
import { testHashKeys, testMasterKeys } from './test-master-keys.js';

export interface InProcessOptions {
  readonly name: string;
  readonly module: Type | DynamicModule;
  readonly natsUrl: string;
  readonly databaseUrl?: string;
  /** See `ServiceOptions`. Default: false. */
  readonly byKey?: boolean;
  /** The app's settings, as returned by readConfig. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** By default, the sandbox profile. */
  readonly profile?: Profile;
}

/** A service running in the test's process, with everything that the test needs to communicate with it. */
export interface InProcessService {
  readonly nats: NatsConnection;
  readonly clock: Clock;
  readonly callClient: CallClient;
  readonly health: Health;
  readonly profile: Profile;
  readonly pool?: Pool;
  /** Returns a provider from the service's module. */
  get<Provider>(type: Type<Provider>): Provider;
  stop(): Promise<void>;
}

/**
 * For integration tests: starts an app's module in the test's process, as in a process of its own, on servers that
 * the test has started.
 */
export const startInProcess = async (options: InProcessOptions): Promise<InProcessService> => {
  const { name, natsUrl, databaseUrl } = options;
  const logger = createLogger(name, process.env['LOG_LEVEL'] ?? 'silent');
  const profile = options.profile ?? makeProfile('sandbox');
  const nats = await connectCalls(natsUrl, name, logger);
  const clock = new Clock(true);
  const pool =
    databaseUrl === undefined
      ? undefined
      : createPool({ url: databaseUrl, name, byKey: options.byKey, logger });
  const health = new Health();
  const callClient = new CallClient(nats, clock);
  const strategy = new BoundedNatsServer({ nats, service: name, clock, logger, isUnavailable });
  const config = {
    NATS_URL: natsUrl,
    NATS_SHARED_WRITES: false,
    DATABASE_URL: databaseUrl ?? '',
    PROFILE_FILE: '',
    HEALTH_PORT: 0,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    SANDBOX: true,
    OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: undefined,
    OTEL_TRACES_SAMPLER_ARG: 1,
    MASTER_KEYS: testMasterKeys,
    HASH_KEYS: testHashKeys,
    ...options.settings,
  };
  const parts = { config, logger, clock, streams: nats, health, profile, callClient, pool };
  const app = await NestFactory.createMicroservice(RuntimeModule.forRoot(parts, options.module), {
    strategy,
    logger: false,
    abortOnError: false,
  });
  await app.listen();
  await nats.flush();
  return {
    nats,
    clock,
    callClient,
    health,
    profile,
    pool,
    get: (type) => app.get(type, { strict: false }),
    stop: async () => {
      await app.close();
      await pool?.end();
      await nats.close();
    },
  };
};
