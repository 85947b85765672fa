import type { ProfileName } from '@xs2a/domain/profile/profile';
import type { DatabaseRole } from '@xs2a/local-servers/databases';
import { freePort, isPortFree } from '@xs2a/local-servers/free-port';
import type { NatsUser } from '@xs2a/nats/permissions/rights';
import type { NatsServer } from '@xs2a/local-servers/nats-server';
import type { PostgresServer } from '@xs2a/local-servers/postgres-server';
import { resolve } from 'node:path';
import { Assembly, type GatewayAddress } from './assembly.js';
import { parseHost } from './core-bank.js';
import type { DatabaseServers } from './processes/database-servers.js';
import { makeLayout, readJson } from './layout.js';
import { endLeftovers } from './processes/leftovers.js';
import { takeLock } from './processes/lock.js';
import { rememberedPorts } from './ports.js';
import { prometheusProgram } from './prometheus/program.js';
import type { RunningSandbox } from './running-sandbox.js';
import { keepToProfile } from './sandbox-profiles.js';
import type { SandboxOptions } from './sandbox-options.js';
import type { SecondProcess } from './processes/second-process.js';
import type { ServiceBehindNats, ServiceName } from './services/service-table.js';
import type { Running, Supervised } from './processes/supervised.js';

export interface Sandbox {
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly profile: ProfileName;
  /** The URL of the demo TPP, if it was started. */
  readonly demoTppUrl?: string;
  /** The URL of Prometheus, if it was started. */
  readonly prometheusUrl?: string;
  /** The URL of the operators' console, if it has pages. */
  readonly consoleUrl?: string;
  /** The host of the bank's own core system; absent if the sandbox bank is the core bank. */
  readonly coreBankHost?: string;
  readonly services: Readonly<Record<ServiceName, Supervised>>;
  /** The second process of each service that runs twice. */
  readonly seconds: Readonly<Partial<Record<ServiceName, Supervised>>>;
  /** The addresses of the second processes, with links that can be put on hold. */
  readonly places: ReadonlyMap<ServiceName, SecondProcess>;
  /** The addresses of the gateways, for a load balancer in front of both. */
  readonly doors: readonly GatewayAddress[];
  /** Stops new connections to one of two authorization servers until the returned function is called. */
  withdrawAuth(name: 'auth' | 'auth-2'): () => void;
  /** The URL at which each service answers `/health/live`, `/health/ready` and `/metrics`. */
  readonly healthUrls: Readonly<Record<ServiceName, string>>;
  readonly postgres: Supervised<PostgresServer>;
  /** The primary, which is {@link postgres}, and its standby, if requested. */
  readonly databases: Pick<DatabaseServers, 'standby' | 'addStandby' | 'failOver' | 'switchOver'>;
  /** The first nats-server; the only one unless {@link natsNodes} are requested. */
  readonly nats: Supervised<NatsServer>;
  readonly natsNodes: readonly Supervised<NatsServer>[];
  /** Returns the URL of the service database for one of its roles or for the superuser. */
  databaseUrl(role: DatabaseRole | 'postgres'): string;
  /**
   * Returns a `NATS_URL`, by default the operator's. The function that connects chooses between the accounts CALLS
   * and STREAMS.
   */
  natsUrl(user?: NatsUser): string;
  /**
   * Starts another process of a service without a public port and waits until it is ready. The caller must stop
   * it; it is not restarted.
   */
  startAnother(service: ServiceBehindNats): Promise<Running>;
  /** Starts another gateway for the same public address, on a separate port. */
  startAnotherGateway(): Promise<Running & { readonly url: string }>;
  /** Starts another authorization server on a separate port. The caller must put a load balancer in front of both. */
  startAnotherAuth(): Promise<Running & { readonly url: string }>;
  /** Stops everything, beginning with the services. */
  stop(): Promise<void>;
}
/** Thrown when another program is using the public port. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';

  constructor(readonly port: number) {
    super(`Port ${port} is taken.`);
  }
}

/**
 * Starts the whole service on this machine: PostgreSQL, nats-server and every app as separate processes, with
 * persistent data. The apps must have been built. If the start fails, all started processes are stopped. Throws
 * {@link PortTaken}, `DataInUse`, `OtherCurrency`, or an Error whose first line states the problem.
 */
export const startSandbox = async (given: SandboxOptions): Promise<Sandbox> => {
  const options = {
    ...given,
    dataDir: resolve(given.dataDir),
    onProgress: given.onProgress ?? (() => undefined),
  };
  // A missing program is reported before anything is started.
  if (given.observability === true) prometheusProgram('prometheus');
  const layout = makeLayout(options.dataDir);
  const release = takeLock(layout.lock);
  let assembly: Assembly | undefined;
  try {
    keepToProfile(layout, options.profile ?? 'sandbox');
    await endLeftovers(readJson<RunningSandbox>(layout.running)?.pids ?? [], options.dataDir);
    const publicPort = options.port || (await freePort());
    if (!(await isPortFree(publicPort))) throw new PortTaken(publicPort);
    const ports = await rememberedPorts(layout.ports, {
      natsNodes: options.natsNodes ?? 1,
      console: options.console?.port,
    });
    const made = new Assembly(options, layout, ports);
    assembly = made;
    given.signal?.throwIfAborted();
    given.signal?.addEventListener('abort', () => void made.stop(), { once: true });
    await made.startServers();
    const baseUrl = await made.startServices(publicPort);
    const demoTppUrl = options.demoTpp === true ? await made.startDemoTpp(baseUrl) : undefined;
    const consoleUrl = await made.startStaffProvider();
    const prometheusUrl = options.observability === true ? await made.startPrometheus() : undefined;
    const [nats] = made.natsNodes;
    if (nats === undefined) throw new Error('there is no nats-server');
    return {
      baseUrl,
      dataDir: options.dataDir,
      profile: given.profile ?? 'sandbox',
      demoTppUrl,
      prometheusUrl,
      consoleUrl,
      coreBankHost: options.coreBank === undefined ? undefined : parseHost(options.coreBank),
      services: Object.fromEntries(made.services) as Record<ServiceName, Supervised>,
      seconds: Object.fromEntries(made.seconds),
      places: made.places,
      doors: made.doors,
      withdrawAuth: made.withdrawAuth,
      healthUrls: made.healthUrls(),
      postgres: made.databases.primary,
      databases: made.databases,
      nats,
      natsNodes: made.natsNodes,
      databaseUrl: made.databaseUrl,
      natsUrl: made.natsUrl,
      startAnother: made.startAnother,
      startAnotherGateway: made.startAnotherGateway,
      startAnotherAuth: made.startAnotherAuth,
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
