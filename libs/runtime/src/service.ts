import 'reflect-metadata';
import type { NatsConnection } from '@nats-io/transport-node';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Profile } from '@xs2a/domain/profile/profile';
import { holidaysEnd } from '@xs2a/domain/profile/profile-tables';
import { toBankDate } from '@xs2a/domain/time/bank-calendar';
import { readProfile } from './profile-file.js';
import { logFields } from '@xs2a/calls/context';
import type { ServiceName } from '@xs2a/contracts/services';
import { connectCalls, connectStreams } from '@xs2a/nats/connection';
import { BoundedNatsServer } from '@xs2a/calls/server.strategy';
import { CallClient } from '@xs2a/calls/client';
import { withSharedWrites } from '@xs2a/calls/with-shared-writes';
import { waitAtMost } from '@xs2a/nats/wait-at-most';
import { Health, startHealthServer } from '@xs2a/observability/health';
import { createLogger, type Logger } from '@xs2a/observability/logger';
import { collectProcessMetrics } from '@xs2a/observability/metrics';
import { startTracing } from '@xs2a/observability/tracing/start-tracing';
import { isUnavailable } from '@xs2a/postgres/errors';
import { createPool } from '@xs2a/postgres/pool';
import { lossAccepted } from '@xs2a/postgres/replication';
import type { Pool } from 'pg';
import { mustKeepWrites } from './database/acknowledged-writes.js';
import { Clock } from './clock.js';
import {
  ConfigError,
  type ConfigOf,
  type ConfigSpec,
  databaseConfig,
  httpConfig,
  readConfig,
  serviceConfig,
} from './config.js';
import { withMasterKeys } from './kms/open-master-keys.js';
import { KeptConnections } from './kept-connections.js';
import { watchCertificates } from './metrics/certificate-ends.js';
import { askDatabase } from './metrics/clock-difference.js';
import { databaseControllers } from './database/database.controller.js';
import { checkMigrations, untilMigrated } from './database/migrations-applied.js';
import { NestLogger } from './nest-logger.js';
import { PulseSender } from './pulse.js';
import { version } from './release.js';
import { RuntimeModule } from './runtime.module.js';
import type { ServiceParts } from './service-parts.js';
import { followProfile } from './followed-profile.js';
import { followSandboxClock } from './sandbox-clock.js';
import { whenThere } from '@xs2a/postgres/when-there';

export interface ServiceOptions<Spec extends ConfigSpec> {
  readonly name: ServiceName;
  /**
   * The app's own settings, in addition to {@link serviceConfig}. Include databaseConfig for a pool, or httpConfig
   * for a port.
   */
  readonly config: Spec;
  /** The app's module. If it is built from the service's parts, it has a `forRoot` method, as Nest's own modules do. */
  readonly module: Type & {
    readonly forRoot?: (parts: ServiceParts<ConfigOf<NoInfer<Spec>>>) => DynamicModule;
  };
  /**
   * The reply timeout of statements in milliseconds, for a service whose callers do not require a shorter one
   * ({@link createPool}).
   */
  readonly databaseAnswersWithinMs?: number;
  /**
   * The migrations that this build needs, by class name. Until all of them are applied, the service waits and is
   * not ready.
   */
  readonly migrations?: readonly { readonly name: string }[];
  /**
   * Called with a profile to which the bank switches, before this process takes it over. If it throws, the process
   * keeps the former profile, and the switch-over names it.
   */
  readonly checkProfile?: (profile: Profile, config: ServiceParts<ConfigOf<NoInfer<Spec>>>['config']) => void;
  /** Runs once the migrations are applied, before anything else in the service. If it throws, the service ends. */
  readonly beforeStart?: (
    parts: ServiceParts<ConfigOf<NoInfer<Spec>>> & { readonly pool: Pool },
  ) => Promise<void>;
  /** True if all of the service's statements find their rows by key, see {@link createPool}. */
  readonly byKey?: boolean;
  /** Prepares Fastify (parsers, hooks, proxies) before the controllers' routes are registered. */
  readonly http?: (app: NestFastifyApplication, parts: ServiceParts<ConfigOf<Spec>>) => Promise<void>;
  readonly fastify?: (parts: ServiceParts<ConfigOf<Spec>>) => FastifyAdapter;
}

/**
 * Starts a service and runs it until SIGTERM or SIGINT. An invalid configuration ends it immediately with an error
 * that names the variable.
 */
export const startService = async <Spec extends ConfigSpec>(options: ServiceOptions<Spec>): Promise<void> => {
  try {
    await run(options);
  } catch (error) {
    const logger = createLogger(options.name);
    if (error instanceof ConfigError) logger.fatal({ problems: error.problems }, error.message);
    else logger.fatal({ error }, 'the service failed to start');
    process.exit(1);
  }
};

const run = async <Spec extends ConfigSpec>(options: ServiceOptions<Spec>): Promise<void> => {
  const env = 'MASTER_KEYS' in options.config ? await withMasterKeys(process.env) : process.env;
  const config = readConfig({ ...serviceConfig, ...options.config }, env);
  const settings = config as ConfigOf<typeof serviceConfig> &
    Partial<ConfigOf<typeof databaseConfig & typeof httpConfig>>;
  const logger = createLogger(options.name, settings.LOG_LEVEL, { about: logFields });
  collectProcessMetrics(options.name, version);
  const stopTracing = await startTracing(options.name, settings, logger);
  const profile = readProfile(settings.PROFILE_FILE);
  const accepted = settings.ACCEPT_LOSS_OF_ACKNOWLEDGED_WRITES === 'yes';
  const pool = requirePool(options, settings, logger);
  if (pool !== undefined && !settings.SANDBOX) await mustKeepWrites(pool, { accepted, logger });
  const [plainCalls, streams] = await Promise.all([
    connectCalls(settings.NATS_URL, options.name, logger),
    connectStreams(settings.NATS_URL, options.name, logger),
  ]);
  const calls = settings.NATS_SHARED_WRITES ? withSharedWrites(plainCalls, logger) : plainCalls;
  const clock = new Clock(settings.SANDBOX);
  watchCertificates(config);
  warnOfHolidays(profile, clock, logger);
  const [stopping, check] = [new AbortController(), checkOf(options, config)];
  await followBuckets(streams, { settings, profile, clock, logger, check }, stopping.signal);
  const needed = neededBy(options);
  const health = checkHealth({ calls, streams, pool, clock, needed });
  const probe = await startHealthServer({ port: settings.HEALTH_PORT, host: settings.HOST, health });
  const callClient = new CallClient(calls, clock);
  const state = { health, unanswered: callClient.unanswered, pool, profile };
  const pulse = new PulseSender({ service: options.name, nats: calls, logger, ...state });
  pulse.start();
  if (pool !== undefined) await untilMigrated(pool, needed, logger);
  const parts = {
    config,
    logger,
    clock,
    streams,
    health,
    profile,
    callClient,
    pool,
  } as ServiceParts<ConfigOf<Spec>>;
  if (pool !== undefined) await whenThere(async () => options.beforeStart?.({ ...parts, pool }), logger);
  const strategy = new BoundedNatsServer({
    nats: calls,
    service: options.name,
    clock,
    logger,
    isUnavailable,
    withoutSandboxCalls: !settings.SANDBOX,
  });
  const app = await startNest(options, parts, strategy);
  const kept = new KeptConnections(app.getHttpServer());
  if (settings.PORT !== undefined) await app.listen(settings.PORT, settings.HOST);
  health.started();
  logger.info({ healthPort: probe.port, port: settings.PORT }, 'ready');

  const stop = async (signal: string): Promise<void> => {
    logger.info({ signal }, 'draining');
    health.drain();
    // Before the console's own work stops, so that it hears its own last pulse.
    await pulse.stop({ signal });
    await kept.leave();
    await app.close();
    stopping.abort();
    probe.server.close();
    await pool?.end();
    await Promise.all([calls.drain(), streams.drain()]);
    if (stopTracing !== undefined) await waitAtMost(lastSpansWithinMs, stopTracing());
    logger.info('stopped');
    process.exit(0);
  };
  onSignals(stop, logger);
};

const neededBy = ({ migrations = [] }: Pick<ServiceOptions<ConfigSpec>, 'migrations'>): readonly string[] =>
  migrations.map(({ name }) => name);

const checkOf =
  <Spec extends ConfigSpec>({ checkProfile }: Pick<ServiceOptions<Spec>, 'checkProfile'>, config: object) =>
  (target: Profile): void =>
    checkProfile?.(target, config as ServiceParts<ConfigOf<Spec>>['config']);

/** Follows the sandbox's clock and the bank's profile. */
const followBuckets = async (
  streams: NatsConnection,
  {
    settings,
    profile,
    clock,
    logger,
    check,
  }: Pick<ServiceParts, 'profile' | 'clock' | 'logger'> & {
    readonly check: (target: Profile) => void;
    readonly settings: Pick<ConfigOf<typeof serviceConfig>, 'SANDBOX' | 'PROFILE_FILE'>;
  },
  signal: AbortSignal,
): Promise<void> => {
  if (settings.SANDBOX) followSandboxClock(streams, clock, logger, signal);
  await followProfile(streams, { profile, file: settings.PROFILE_FILE, logger, check }, signal);
};

const warnOfHolidays = (profile: Profile, clock: Clock, logger: Logger): void => {
  const problem = holidaysEnd(profile, toBankDate(clock.now(), profile.timeZone));
  if (problem !== undefined) logger.warn(problem);
};

/** The readiness checks that every service has. */
const checkHealth = ({
  calls,
  streams,
  pool,
  clock,
  needed,
}: {
  readonly calls: NatsConnection;
  readonly streams: NatsConnection;
  readonly pool: Pool | undefined;
  readonly clock: Clock;
  /** The names of the migrations that must have run. */
  readonly needed: readonly string[];
}): Health => {
  const health = new Health({ starting: true });
  health.check('nats', async () => void (await Promise.all([calls.flush(), streams.flush()])));
  if (pool === undefined) return health;
  health.check('postgres', async () => askDatabase(pool, clock));
  health.check('migrations', async () => checkMigrations(pool, needed));
  return health;
};

const requirePool = (
  {
    name,
    databaseAnswersWithinMs,
    byKey,
  }: Pick<ServiceOptions<ConfigSpec>, 'name' | 'databaseAnswersWithinMs' | 'byKey'>,
  settings: Partial<ConfigOf<typeof databaseConfig>>,
  logger: Logger,
): Pool | undefined =>
  settings.DATABASE_URL === undefined
    ? undefined
    : createPool({
        url: settings.DATABASE_URL,
        name: `xs2a-${name}${settings.ACCEPT_LOSS_OF_ACKNOWLEDGED_WRITES === 'yes' ? ` ${lossAccepted}` : ''}`,
        max: settings.DATABASE_POOL,
        answerWithinMs: databaseAnswersWithinMs,
        byKey,
        logger,
      });

const startNest = async <Spec extends ConfigSpec>(
  options: ServiceOptions<Spec>,
  parts: ServiceParts<ConfigOf<Spec>>,
  strategy: BoundedNatsServer,
): Promise<NestFastifyApplication> => {
  const { module } = options;
  const app = await NestFactory.create<NestFastifyApplication>(
    RuntimeModule.forRoot(
      parts,
      module.forRoot?.(parts) ?? module,
      databaseControllers(options.name, neededBy(options)),
    ),
    options.fastify?.(parts) ?? new FastifyAdapter(),
    { logger: new NestLogger(parts.logger), bodyParser: false, abortOnError: false },
  );
  await options.http?.(app, parts);
  app.connectMicroservice({ strategy });
  await app.init();
  await app.startAllMicroservices();
  return app;
};

/** Milliseconds to wait, when the service stops, for the collector to accept the last spans. */
const lastSpansWithinMs = 1000;
/** Longer than the time for which calls in progress may run ({@link BoundedNatsServer} waits ten seconds for them). */
const stopWithinMs = 15_000;

const onSignals = (stop: (signal: string) => Promise<void>, logger: Logger): void => {
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      // If NATS or PostgreSQL is down, draining may wait for responses that never come.
      setTimeout(() => {
        logger.error({ signal }, 'shutdown timed out');
        process.exit(1);
      }, stopWithinMs).unref();
      stop(signal).catch((error: unknown) => {
        logger.error({ error }, 'shutdown failed');
        process.exit(1);
      });
    });
  }
};
