import type { ProfileName } from '@xs2a/domain/profile/profile';
import type { DatabaseRole } from '@xs2a/local-servers/databases';
import { freePort } from '@xs2a/local-servers/free-port';
import { migrationUser, type NatsUser, operatorUser } from '@xs2a/nats/permissions/rights';
import { natsConfiguration } from '@xs2a/nats/permissions/server-configuration';
import { natsHosts, natsNode, nodeName } from '@xs2a/local-servers/nats-cluster';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { databaseName, type PostgresServer } from '@xs2a/local-servers/postgres-server';
import { rmSync } from 'node:fs';
import { AuthBalancer } from './processes/auth-balancer.js';
import { coreBankEnvironment } from './core-bank.js';
import { DatabaseServers } from './processes/database-servers.js';
import { makeAssetsWhenUp } from './processes/jet-stream.js';
import { type Layout, root, masterKeysIn, secretIn, writePrivately } from './layout.js';
import { demoTpp, demoTppEnvironment, makeOwnUrl } from './tpp/demo-tpp.js';
import type { Ports } from './ports.js';
import { startPrometheus } from './prometheus/server.js';
import type { RunningSandbox } from './running-sandbox.js';
import type { SandboxOptions } from './sandbox-options.js';
import { homeCurrencyOf, keptProfile } from './sandbox-profiles.js';
import { prepareSchemas } from './schemas.js';
import { pagesAt, staffProviderEnvironment } from './staff-provider.js';
import { SecondProcess } from './processes/second-process.js';
import { startServiceProcess } from './processes/service-process.js';
import {
  type Environment,
  makeEnvironment,
  type ServiceBehindNats,
  type ServiceName,
  serviceNames,
  type Surroundings,
} from './services/service-table.js';
import { firstLine, type Progress, type Running, Supervised } from './processes/supervised.js';
import { testAuthority } from './tpp/test-authority.js';

/** The address of a gateway as used by a load balancer in front of it. */
export interface GatewayAddress {
  readonly name: 'gateway' | 'gateway-2';
  readonly url: string;
  readonly healthUrl: string;
}

/** Size limits of a sandbox's event streams, in megabytes. */
export const streamMegabytes = { payments: 5000, consents: 1500 } as const;

/** A signal that never aborts, for calls that must not be interrupted. */
const never = new AbortController().signal;

/** A sandbox while it is starting. */
export class Assembly {
  readonly databases: DatabaseServers;
  readonly natsNodes: readonly Supervised<NatsServer>[];
  readonly services = new Map<ServiceName, Supervised>();
  /** The second process of each service that runs as two processes. */
  readonly seconds = new Map<ServiceName, Supervised>();
  /** The addresses of the second processes. */
  readonly places = new Map<ServiceName, SecondProcess>();
  private authBalancer: AuthBalancer | undefined;
  private announced: Omit<RunningSandbox, 'pids'> | undefined;

  constructor(
    private readonly options: SandboxOptions & { readonly onProgress: Progress; readonly dataDir: string },
    private readonly layout: Layout,
    private readonly ports: Ports,
  ) {
    this.databases = new DatabaseServers(
      layout,
      ports.postgres,
      (name, start) => this.supervised(name, start),
      options.standby,
    );
    this.natsNodes = ports.nats.map((_, index) => this.natsServer(index));
  }

  databaseUrl = (role: DatabaseRole | 'postgres'): string => {
    const url = new URL(this.lastPostgres.url(role));
    url.port = String(this.databasePort ?? url.port);
    url.pathname = `/${databaseName}`;
    return url.href;
  };

  natsUrl = (user: NatsUser = operatorUser): string =>
    `nats://${user}:${this.natsPassword(user)}@${natsHosts(this.ports.nats)}`;

  async startServers(): Promise<void> {
    const { onProgress } = this.options;
    onProgress('starting PostgreSQL and nats-server');
    await this.all([this.databases.primary, ...this.natsNodes]);
    this.known = this.databases.primary.current;
    const urls = { superuser: this.lastPostgres.url(), owner: this.databaseUrl('xs2a_owner') };
    const ran = await prepareSchemas(urls, this.layout.migrated);
    if (ran.length > 0) onProgress(`the database has its tables (${ran.length} migrations)`);
    await this.makeStreams(this.options.signal ?? never);
    this.natsIsUp = true;
    this.databasePort = await this.databases.open();
  }

  async startServices(publicPort: number): Promise<string> {
    const { onProgress, logLevel = 'info' } = this.options;
    const baseUrl = `http://127.0.0.1:${publicPort}`;
    const healthPorts = new Map<ServiceName, number>();
    for (const service of serviceNames) healthPorts.set(service, await freePort());
    const at: Surroundings = {
      checkout: root,
      databaseUrl: this.databaseUrl,
      natsUrl: this.natsUrl,
      healthPort: (service) => healthPorts.get(service) ?? 0,
      secretFile: (name) => {
        secretIn(this.layout.secret(name));
        return this.layout.secret(name);
      },
      masterKeysFile: (service) => masterKeysIn(this.layout.secret(`master-keys-${service}`)),
      hashKeysFile: (service) => masterKeysIn(this.layout.secret(`hash-keys-${service}`)),
      profile: this.profile,
      baseUrl,
      publicPort,
      authPort: await freePort(),
      portalPort: await freePort(),
      consolePages: this.options.console && pagesAt(this.ports),
      keysFile: this.layout.keys,
      bundleKeysFile: this.layout.bundleKeys,
      trustAnchorsFile: this.layout.testAuthority.certificate,
      logLevel,
    };
    testAuthority(this.layout);
    this.options.signal?.throwIfAborted();
    const { twice = [] } = this.options;
    for (const service of twice) this.places.set(service, await this.secondPlace(service));
    const second = this.places.get('auth');
    if (second !== undefined) this.authBalancer = await AuthBalancer.start(at, second);
    this.surroundings = at;
    for (const service of serviceNames) {
      this.services.set(
        service,
        this.supervised(service, (signal) => this.startProcess(service, at, signal)),
      );
    }
    onProgress(
      `starting ${serviceNames.length} services; ${
        this.options.coreBank === undefined
          ? 'the first start fills the sandbox bank with its data'
          : 'the core bank is your own'
      }`,
    );
    await this.all([...this.services.values()]);
    for (const [service, place] of this.places) {
      const start = async (signal: AbortSignal) =>
        this.startProcess(service, place.surroundings(at), signal, {}, place.name);
      this.seconds.set(service, this.supervised(place.name, start));
    }
    await this.all([...this.seconds.values()]);
    const ownerDatabaseUrl = this.databaseUrl('xs2a_owner');
    const { coreBank } = this.options;
    this.announced = {
      baseUrl,
      natsUrl: this.natsUrl(),
      ownerDatabaseUrl,
      hasOwnCoreBank: coreBank !== undefined,
    };
    this.announce();
    return baseUrl;
  }

  healthUrls = (): Record<ServiceName, string> =>
    Object.fromEntries(
      serviceNames.map((service) => [service, `http://127.0.0.1:${this.around.healthPort(service)}`]),
    ) as Record<ServiceName, string>;

  /** Starts the demo TPP once the gateway is ready. Returns its URL. */
  async startDemoTpp(baseUrl: string): Promise<string> {
    const { layout } = this;
    const { onProgress, logLevel = 'info' } = this.options;
    onProgress('starting the demo TPP');
    const tpp = await demoTpp(layout, baseUrl, this.options.demoPort);
    await this.startGuest('demo-tpp', async (signal) => {
      const currency = homeCurrencyOf(this.profile());
      const env = demoTppEnvironment(tpp, { layout, baseUrl, currency, logLevel });
      return startServiceProcess('demo-tpp', env, layout.log('demo-tpp'), signal, this.options);
    });
    return makeOwnUrl(tpp);
  }

  /** Starts the identity provider of the staff, if the console has pages. Returns the URL of the pages. */
  async startStaffProvider(): Promise<string | undefined> {
    const { layout, around } = this;
    const pages = around.consolePages;
    if (pages === undefined) return undefined;
    const env = staffProviderEnvironment(pages, layout.secret('staff-client-secret'));
    await this.startGuest('staff-provider', async (signal) =>
      startServiceProcess('staff-provider', env, layout.log('staff-provider'), signal, this.options),
    );
    return pages.url;
  }

  /** Starts Prometheus once all services are ready. Returns its URL. */
  async startPrometheus(): Promise<string> {
    const { layout, ports } = this;
    this.options.onProgress('starting Prometheus');
    const [logFile, healthUrls] = [layout.log('prometheus'), this.healthUrls()];
    const options = { dataDir: layout.prometheus, port: ports.prometheus, logFile, healthUrls };
    await this.startGuest('prometheus', async (signal) => startPrometheus(options, signal));
    return `http://127.0.0.1:${ports.prometheus}`;
  }

  /** Starts another process of a service in addition to the supervised one. It is not restarted. */
  startAnother = async (service: ServiceBehindNats): Promise<Running> =>
    this.startBeside(service, service, never);

  /** The gateway processes, one or two. */
  get doors(): readonly GatewayAddress[] {
    const { baseUrl } = this.around;
    const second = this.places.get('gateway');
    const first: GatewayAddress = { name: 'gateway', url: baseUrl, healthUrl: this.healthUrls().gateway };
    if (second === undefined) return [first];
    const [url, healthUrl] = [second.port, second.healthPort].map((port) => `http://127.0.0.1:${port}`);
    return [first, { name: 'gateway-2', url: url ?? '', healthUrl: healthUrl ?? '' }];
  }

  /** Stops new connections to one of two authorization servers until the returned function is called. */
  withdrawAuth = (name: 'auth' | 'auth-2'): (() => void) => {
    if (this.authBalancer === undefined) throw new Error('there is only one authorization server');
    return this.authBalancer.withdraw(name);
  };

  /** Starts another gateway for the same public address, as if behind a load balancer. */
  startAnotherGateway = async (): Promise<Running & { readonly url: string }> => {
    const [healthPort, publicPort] = [await freePort(), await freePort()];
    const at = { ...this.around, healthPort: () => healthPort, publicPort };
    const running = await this.startProcess('gateway', at, never, { PORT: String(publicPort) }, 'gateway-2');
    return { ...running, url: `http://127.0.0.1:${publicPort}` };
  };

  /** Starts another authorization server on a separate port. */
  startAnotherAuth = async (): Promise<Running & { readonly url: string }> => {
    const [healthPort, port] = [await freePort(), await freePort()];
    const at = { ...this.around, healthPort: () => healthPort };
    const running = await this.startProcess('auth', at, never, { PORT: String(port) }, 'auth-2');
    return { ...running, url: `http://127.0.0.1:${port}` };
  };

  /** Stops the demo TPP and Prometheus first, then the gateway, then the services, then the servers. */
  async stop(): Promise<void> {
    const door = new Set<ServiceName>(['gateway', 'auth']);
    const of = (wanted: (service: ServiceName) => boolean): Supervised[] =>
      [...this.services].filter(([service]) => wanted(service)).map(([, supervised]) => supervised);
    const listSecondInstances = (wanted: (service: ServiceName) => boolean): Supervised[] =>
      [...this.seconds].filter(([service]) => wanted(service)).map(([, supervised]) => supervised);
    rmSync(this.layout.running, { force: true });
    for (const group of [
      this.guests,
      [...of((service) => door.has(service)), ...listSecondInstances((service) => door.has(service))],
      [...of((service) => !door.has(service)), ...listSecondInstances((service) => !door.has(service))],
      [...this.places.values(), ...(this.authBalancer === undefined ? [] : [this.authBalancer])],
      [...this.natsNodes],
      [this.databases],
    ]) {
      await Promise.allSettled(group.map((one) => one.stop()));
    }
  }

  private natsIsUp = false;
  /** Processes that use the bank but are not part of it. */
  private readonly guests: Supervised[] = [];
  private known: PostgresServer | undefined;
  private databasePort: number | undefined;
  private surroundings: Surroundings | undefined;

  private readonly profile = (): ProfileName => keptProfile(this.layout) ?? 'sandbox';

  private get around(): Surroundings {
    if (this.surroundings === undefined) throw new Error('the services have not started');
    return this.surroundings;
  }

  private async startGuest(name: string, start: (signal: AbortSignal) => Promise<Running>): Promise<void> {
    this.options.signal?.throwIfAborted();
    const guest = this.supervised(name, start);
    this.guests.push(guest);
    await this.all([guest]);
  }

  private async secondPlace(service: ServiceName): Promise<SecondProcess> {
    return SecondProcess.make(service, {
      postgres: () => (this.databases.primary.pid === 0 ? undefined : this.databases.primary.current.port),
      nats: this.ports.nats.map(({ client }) => client),
    });
  }

  private async startBeside(
    service: ServiceBehindNats,
    processName: string,
    signal: AbortSignal,
  ): Promise<Running> {
    const [healthPort, portalPort] = [await freePort(), await freePort()];
    const at = { ...this.around, healthPort: () => healthPort, portalPort };
    return this.startProcess(service, at, signal, {}, processName);
  }

  private async startProcess(
    service: ServiceName,
    at: Surroundings,
    signal: AbortSignal,
    own: Readonly<Record<string, string>> = {},
    processName: string = service,
  ): Promise<Running> {
    const { coreBank, env: more, checkoutFor, sourceMaps } = this.options;
    const start = { checkout: checkoutFor?.(processName) ?? root, sourceMaps };
    const profile = this.profile();
    const bank: Partial<Record<ServiceName, Environment>> =
      coreBank === undefined ? {} : coreBankEnvironment(coreBank);
    const env = {
      ...makeEnvironment(service, { ...at, checkout: start.checkout }),
      ...bank[service],
      ...(service === 'gateway' && this.authBalancer ? { AUTH_URL: this.authBalancer.url } : {}),
      ...more?.[service],
      ...own,
    };
    try {
      return await startServiceProcess(service, env, this.layout.log(processName), signal, start);
    } catch (error) {
      // A process that starts while the bank switches to euro refuses the former profile.
      if (signal.aborted || profile === this.profile()) throw error;
      return this.startProcess(service, at, signal, own, processName);
    }
  }

  private get lastPostgres(): PostgresServer {
    if (this.known === undefined) throw new Error('PostgreSQL has not started');
    return this.known;
  }

  /** If one start fails, the others are aborted and awaited, so that none of them becomes ready later. */
  private async all(group: readonly Supervised[]): Promise<void> {
    const starts = group.map(async (one) => one.start());
    try {
      await Promise.all(starts);
    } catch (error) {
      await Promise.all(group.map(async (one) => one.stop()));
      await Promise.allSettled(starts);
      throw error;
    }
  }

  /**
   * Creates streams and buckets, as the migration job does in a deployment. A size limit that exceeds JetStream's
   * storage is reported, and creation is retried at the next start.
   */
  private async makeStreams(signal: AbortSignal): Promise<void> {
    const { onProgress, streamMegabytes: { payments, consents } = streamMegabytes } = this.options;
    const bounds = { payments: payments * 1_000_000, consents: consents * 1_000_000 };
    const { refused } = await makeAssetsWhenUp(this.natsUrl(migrationUser), bounds, signal);
    for (const line of refused) onProgress(`JetStream refused: ${line}`);
  }

  private reportUnmade(error: unknown, signal: AbortSignal): void {
    if (!signal.aborted) this.options.onProgress(`nothing is published: ${firstLine(error)}`);
  }

  private natsPassword = (user: NatsUser): string => secretIn(this.layout.secret(`nats-${user}`));

  private natsServer(index: number): Supervised<NatsServer> {
    const { layout, ports } = this;
    const name = ports.nats.length === 1 ? 'nats' : `nats-${nodeName(index)}`;
    return this.supervised(name, async (signal) => {
      const server = await startNats(
        natsNode({
          ports: ports.nats,
          index,
          dataDir: layout.nats,
          logFile: layout.log(name),
          maxFileStore: this.options.natsFileStore,
          routePassword: secretIn(layout.secret('nats-routes')),
          accounts: natsConfiguration((user) => JSON.stringify(this.natsPassword(user))),
        }),
      );
      // A restarted server may have lost its files.
      if (this.natsIsUp)
        void this.makeStreams(signal).catch((error: unknown) => this.reportUnmade(error, signal));
      return server;
    });
  }

  private supervised<Process extends Running>(
    name: string,
    start: (signal: AbortSignal) => Promise<Process>,
  ): Supervised<Process> {
    const { restart = true, onProgress } = this.options;
    return new Supervised({ name, start, restart, onProgress, onStarted: () => this.announce() });
  }

  private announce(): void {
    if (this.announced === undefined) return;
    const all = [...this.natsNodes, ...this.services.values(), ...this.seconds.values(), ...this.guests];
    const running: RunningSandbox = {
      ...this.announced,
      pids: [...this.databases.pids, ...all.map(({ pid }) => pid)].filter((pid) => pid > 0),
    };
    writePrivately(this.layout.running, JSON.stringify(running));
  }
}
