import { Balancer } from '@xs2a/sandbox/processes/balancer';
import { startSandbox, type Sandbox } from '@xs2a/sandbox/sandbox';
import { checkoutWith, type NextRelease } from '@xs2a/chaos/releases/next-releases';
import { serviceNames, type ServiceName, servicesBehindNats } from '@xs2a/sandbox/services/service-table';
import type { Running } from '@xs2a/sandbox/processes/supervised';
import { freePort } from '@xs2a/local-servers/free-port';

/** The release built from this checkout, or one of the two releases after it. */
export type Release = 'this' | NextRelease;
/** Built checkouts of the next releases. Services missing from them run from this checkout. */
export type Checkouts = Readonly<Record<NextRelease, string>>;
/** Selects one of a service's two processes; the second has the suffix `-2`. */
export type Place = 1 | 2;
type HttpService = 'gateway' | 'auth';

const answersHttp = (service: ServiceName): service is HttpService =>
  service === 'gateway' || service === 'auth';
const processName = (service: ServiceName, place: Place): string => (place === 1 ? service : `${service}-2`);

export interface SideBySideOptions {
  readonly dataDir: string;
  readonly checkouts: Checkouts;
  readonly onProgress?: (line: string) => void;
}

/**
 * Two processes of every service behind one public address, each running one of three releases. Every process
 * starts with the release of this checkout and its tables.
 */
export class SideBySide {
  private readonly releases = new Map<string, Release>();
  private readonly seconds = new Map<HttpService, Running & { readonly url: string }>();
  private readonly firstUrls = new Map<HttpService, string>();

  private constructor(
    readonly sandbox: Sandbox,
    private readonly balancers: Readonly<Record<HttpService, Balancer>>,
    private readonly move: (process: string, release: Release) => void,
  ) {}

  static async start({ dataDir, checkouts, onProgress }: SideBySideOptions): Promise<SideBySide> {
    const balancers = { gateway: new Balancer(), auth: new Balancer() };
    const [port, gatewayPort, authPort] = [await freePort(), await freePort(), await freePort()];
    const authUrl = await balancers.auth.start();
    balancers.auth.targets = [`http://127.0.0.1:${authPort}`];
    const chosen = new Map<string, Release>();
    const checkoutFor = (process: string): string | undefined => {
      const release = chosen.get(process) ?? 'this';
      return release === 'this' ? undefined : checkoutWith(checkouts[release], process);
    };
    const sandbox = await startSandbox({
      dataDir,
      port,
      twice: servicesBehindNats,
      checkoutFor,
      env: {
        gateway: { PORT: String(gatewayPort), AUTH_URL: authUrl },
        auth: { PORT: String(authPort) },
      },
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    const world = new SideBySide(sandbox, balancers, (process, release) => chosen.set(process, release));
    world.firstUrls.set('gateway', `http://127.0.0.1:${gatewayPort}`);
    world.firstUrls.set('auth', `http://127.0.0.1:${authPort}`);
    await world.startSecondHttpService('auth');
    await world.startSecondHttpService('gateway');
    await balancers.gateway.start(port);
    return world;
  }

  /** Stops one process of each service and starts it again from the given release, one service at a time. */
  async run(place: Place, release: Release): Promise<void> {
    for (const service of serviceNames) await this.runOne(service, place, release);
  }

  /** Lists the release from which each process was last started, for a report. */
  get standing(): string {
    return [...this.releases].map(([name, release]) => `${name}: ${release}`).join(', ');
  }

  async stop(): Promise<void> {
    await Promise.all([...this.seconds.values()].map(async (second) => second.stop()));
    await this.sandbox.stop();
    for (const balancer of Object.values(this.balancers)) balancer.stop();
  }

  private async runOne(service: ServiceName, place: Place, release: Release): Promise<void> {
    const name = processName(service, place);
    this.move(name, release);
    this.releases.set(name, release);
    if (!answersHttp(service)) {
      const running = place === 1 ? this.sandbox.services[service] : this.sandbox.seconds[service];
      return running?.restart();
    }
    const first = this.firstUrls.get(service) ?? '';
    const second = this.seconds.get(service);
    if (place === 1) {
      this.balancers[service].targets = second === undefined ? [] : [second.url];
      await this.sandbox.services[service].restart();
      this.balancers[service].targets = [first, ...(second === undefined ? [] : [second.url])];
      return undefined;
    }
    this.balancers[service].targets = [first];
    await second?.stop();
    return this.startSecondHttpService(service);
  }

  private async startSecondHttpService(service: HttpService): Promise<void> {
    const started = await (service === 'gateway'
      ? this.sandbox.startAnotherGateway()
      : this.sandbox.startAnotherAuth());
    this.seconds.set(service, started);
    this.balancers[service].targets = [this.firstUrls.get(service) ?? '', started.url];
  }
}
