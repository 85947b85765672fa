import type { DatabaseRole } from '@xs2a/local-servers/databases';
import { freePort, isPortFree } from '@xs2a/local-servers/free-port';
import { type NatsAccount, natsAuthorization, operatorAccount } from '@xs2a/local-servers/nats-permissions';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { databaseName, type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Layout, layoutOf, readJson, secretIn, writePrivately } from './layout.js';
import { endLeftovers } from './leftovers.js';
import { holderOf, takeLock } from './lock.js';
import { prepareSchemas } from './schemas.js';
import { startServiceProcess } from './service-process.js';
import { environmentOf, type ServiceName, serviceNames, type Surroundings } from './service-table.js';
import { type Progress, Supervised } from './supervised.js';

export interface SandboxOptions {
  readonly dataDir: string;
  /** The public port; absent or 0: a free one. */
  readonly port?: number;
  /** A file in deploy/profiles. Default `sandbox`. */
  readonly profile?: string;
  /** Start again what ends by itself. Default true; tests that start it themselves say false. */
  readonly restart?: boolean;
  /** Additional variables for some services. */
  readonly env?: Partial<Record<ServiceName, Readonly<Record<string, string>>>>;
  readonly logLevel?: string;
  readonly onProgress?: Progress;
}
export interface Sandbox {
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly services: Readonly<Record<ServiceName, Supervised>>;
  readonly postgres: Supervised<PostgresServer>;
  readonly nats: Supervised<NatsServer>;
  /** The service database as one of its roles, or as the superuser. */
  databaseUrl(role: DatabaseRole | 'postgres'): string;
  /** Default: the operator, who may see and do everything. */
  natsUrl(account?: NatsAccount): string;
  /** Ends everything, the services first. */
  stop(): Promise<void>;
}
/** What a running sandbox writes down for the demo and other tools; read it with {@link runningSandbox}. */
export interface RunningSandbox {
  readonly baseUrl: string;
  readonly natsUrl: string;
  readonly ownerDatabaseUrl: string;
  readonly pids: readonly number[];
}

/** The public port is in use by somebody else. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';

  constructor(readonly port: number) {
    super(`Port ${port} is taken.`);
  }
}

/** The sandbox that runs on this data folder, if there is one. */
export const runningSandbox = (dataDir: string): RunningSandbox | undefined => {
  const { lock, running } = layoutOf(dataDir);
  return holderOf(lock) === undefined ? undefined : readJson<RunningSandbox>(running);
};

interface Ports {
  readonly postgres: number;
  readonly nats: number;
}

const freeOrAnother = async (port: number | undefined): Promise<number> =>
  port !== undefined && (await isPortFree(port)) ? port : freePort();

/** The servers keep their ports, so that a tool that was told one finds it again; a port that was lost is replaced. */
const rememberedPorts = async (file: string): Promise<Ports> => {
  const kept = readJson<Ports>(file);
  const ports = { postgres: await freeOrAnother(kept?.postgres), nats: await freeOrAnother(kept?.nats) };
  writePrivately(file, JSON.stringify(ports));
  return ports;
};

/** Everything that is started, in the making. */
class Assembly {
  readonly postgres: Supervised<PostgresServer>;
  readonly nats: Supervised<NatsServer>;
  readonly services = new Map<ServiceName, Supervised>();
  private announced: Omit<RunningSandbox, 'pids'> | undefined;

  constructor(
    private readonly options: SandboxOptions & { readonly onProgress: Progress; readonly dataDir: string },
    private readonly layout: Layout,
    private readonly ports: Ports,
  ) {
    this.postgres = this.supervised('postgres', () =>
      startPostgres({ dataDir: layout.postgres, port: ports.postgres, logFile: layout.log('postgres') }),
    );
    this.nats = this.supervised('nats', () =>
      startNats({
        dataDir: layout.nats,
        port: ports.nats,
        logFile: layout.log('nats'),
        authorization: natsAuthorization((account) => JSON.stringify(this.natsPassword(account))),
      }),
    );
  }

  databaseUrl = (role: DatabaseRole | 'postgres'): string => {
    const url = new URL(this.lastPostgres.url(role));
    url.pathname = `/${databaseName}`;
    return url.href;
  };

  natsUrl = (account: NatsAccount = operatorAccount): string =>
    `nats://${account}:${this.natsPassword(account)}@127.0.0.1:${this.ports.nats}`;

  async startServers(): Promise<void> {
    const { onProgress } = this.options;
    onProgress('starting PostgreSQL and nats-server');
    await this.all([this.postgres, this.nats]);
    this.known = this.postgres.current;
    const urls = { superuser: this.lastPostgres.url(), owner: this.databaseUrl('xs2a_owner') };
    const ran = await prepareSchemas(urls, this.layout.migrated);
    if (ran.length > 0) onProgress(`the database has its tables (${ran.length} migrations)`);
  }

  async startServices(publicPort: number): Promise<string> {
    const { onProgress, profile = 'sandbox', logLevel = 'info', env = {} } = this.options;
    const baseUrl = `http://127.0.0.1:${publicPort}`;
    const healthPorts = new Map<ServiceName, number>();
    for (const service of serviceNames) healthPorts.set(service, await freePort());
    const at: Surroundings = {
      databaseUrl: this.databaseUrl,
      natsUrl: this.natsUrl,
      healthPort: (service) => healthPorts.get(service) ?? 0,
      secretFile: (name) => {
        secretIn(this.layout.secret(name));
        return this.layout.secret(name);
      },
      profile,
      baseUrl,
      publicPort,
      authPort: await freePort(),
      keysFile: this.layout.keys,
      logLevel,
    };
    for (const service of serviceNames) {
      this.services.set(
        service,
        this.supervised(service, () =>
          startServiceProcess(
            service,
            { ...environmentOf(service, at), ...env[service] },
            this.layout.log(service),
          ),
        ),
      );
    }
    onProgress(
      `starting ${serviceNames.length} services; the first start fills the sandbox bank with its data`,
    );
    await this.all([...this.services.values()]);
    this.announced = { baseUrl, natsUrl: this.natsUrl(), ownerDatabaseUrl: this.databaseUrl('xs2a_owner') };
    this.announce();
    return baseUrl;
  }

  /** The door first, then what it asks, then what those need. */
  async stop(): Promise<void> {
    const door = new Set<ServiceName>(['gateway', 'auth']);
    const of = (wanted: (service: ServiceName) => boolean): Supervised[] =>
      [...this.services].filter(([service]) => wanted(service)).map(([, supervised]) => supervised);
    rmSync(this.layout.running, { force: true });
    for (const group of [
      of((service) => door.has(service)),
      of((service) => !door.has(service)),
      [this.nats],
      [this.postgres],
    ]) {
      await Promise.allSettled(group.map((one) => one.stop()));
    }
  }

  private known: PostgresServer | undefined;

  private get lastPostgres(): PostgresServer {
    if (this.known === undefined) throw new Error('PostgreSQL has not started');
    return this.known;
  }

  /** Waits for all, also when one fails: none may come up unseen while the others are being stopped. */
  private async all(group: readonly Supervised[]): Promise<void> {
    const results = await Promise.allSettled(group.map((one) => one.start()));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private natsPassword = (account: NatsAccount): string => secretIn(this.layout.secret(`nats-${account}`));

  private supervised<
    Process extends NatsServer | PostgresServer | Awaited<ReturnType<typeof startServiceProcess>>,
  >(name: string, start: () => Promise<Process>): Supervised<Process> {
    const { restart = true, onProgress } = this.options;
    return new Supervised({ name, start, restart, onProgress, onStarted: () => this.announce() });
  }

  private announce(): void {
    if (this.announced === undefined) return;
    const all = [this.postgres, this.nats, ...this.services.values()];
    const running: RunningSandbox = {
      ...this.announced,
      pids: all.map(({ pid }) => pid).filter((pid) => pid > 0),
    };
    writePrivately(this.layout.running, JSON.stringify(running));
  }
}

/**
 * Starts the whole service on this machine: PostgreSQL, nats-server and every app as processes of their own, on data
 * that is kept. The apps must be built. Whatever has been started is ended again when the start fails.
 * Throws {@link PortTaken}, `DataInUse`, or an Error whose first line says what is wrong.
 */
export const startSandbox = async (given: SandboxOptions): Promise<Sandbox> => {
  const options = {
    ...given,
    dataDir: resolve(given.dataDir),
    onProgress: given.onProgress ?? (() => undefined),
  };
  const layout = layoutOf(options.dataDir);
  const release = takeLock(layout.lock);
  let assembly: Assembly | undefined;
  try {
    endLeftovers(readJson<RunningSandbox>(layout.running)?.pids ?? [], options.dataDir);
    const publicPort = options.port || (await freePort());
    if (!(await isPortFree(publicPort))) throw new PortTaken(publicPort);
    const made = new Assembly(options, layout, await rememberedPorts(layout.ports));
    assembly = made;
    await made.startServers();
    const baseUrl = await made.startServices(publicPort);
    return {
      baseUrl,
      dataDir: options.dataDir,
      services: Object.fromEntries(made.services) as Record<ServiceName, Supervised>,
      postgres: made.postgres,
      nats: made.nats,
      databaseUrl: made.databaseUrl,
      natsUrl: made.natsUrl,
      stop: async () => {
        await made.stop();
        release();
      },
    };
  } catch (error) {
    await assembly?.stop();
    release();
    throw error;
  }
};
