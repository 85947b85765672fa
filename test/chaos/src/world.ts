import type { NatsConnection } from '@nats-io/transport-node';
import { advanceClock } from '@xs2a/contracts/accounts.contract';
import type { ProfileName } from '@xs2a/domain/profile/profile';
import { connectStreams } from '@xs2a/nats/connection';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { ServiceCalls } from '@xs2a/sandbox/services/service-calls';
import { createLogger } from '@xs2a/observability/logger';
import { bodyOf, expectStatus, type FreshPsu, personIn, registerTpp } from '@xs2a/test-support/sandbox-tpp';
import { makeLayout } from '@xs2a/sandbox/layout';
import { type Sandbox, startSandbox } from '@xs2a/sandbox/sandbox';
import { serviceNames } from '@xs2a/sandbox/services/service-table';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { AnswerTimes, describeSlow } from './load/answer-times.js';
import { ClientLog } from './load/client-log.js';
import { GatewayBalancer } from './load/gateway-balancer.js';
import { formsInEuro, formsInLev } from './load/payment-forms.js';
import { HeldClock } from './load/held-clock.js';
import { FailpointOrders } from './faults/failpoints.js';
import { Schemas } from '@xs2a/invariants/schemas';
import type { MasterKeys } from '@xs2a/runtime/master-keys';
import { masterKeysOf } from '@xs2a/sandbox/master-keys';
import { checkoutWith, makeNextRelease, migratePayments } from './releases/next-releases.js';
import { SteadyTpp } from './load/steady-tpp.js';

export type Psu = FreshPsu;

export interface ChaosWorldOptions {
  /** Called with each progress message, such as one about a restarted process or a late response. */
  readonly onProgress?: (line: string) => void;
  /** An empty folder in which data and logs are kept. If absent, they are removed. */
  readonly keepIn?: string | undefined;
  /** Whether the sandbox uses three nats-servers, not one. */
  readonly cluster?: boolean;
  /**
   * Whether there are two processes of each service, clients that choose between the gateways, and a PostgreSQL
   * standby on request.
   */
  readonly twice?: boolean;
  /** The size limit of each event stream. If absent, the sandbox's default applies. */
  readonly streamMegabytes?: number | undefined;
  /** Whether second processes can be started from the next release, which is built for the run. */
  readonly twoReleases?: boolean;
  /** The rules of the bank. Default: `sandbox`. */
  readonly profile?: ProfileName;
}

/**
 * The checkout of the next release while second processes are started from it; undefined while they are started
 * from this checkout.
 */
interface Release {
  ofSeconds: string | undefined;
}

/**
 * A sandbox for one run, whose processes can be crashed through {@link FailpointOrders}, with its clients and an
 * operator's access to it.
 */
export class ChaosWorld {
  private readonly clock = new HeldClock();

  private constructor(
    readonly sandbox: Sandbox,
    readonly tpp: SteadyTpp,
    /** Receives the TPP's notifications. */
    readonly receiver: HttpReceiver,
    readonly log: ClientLog,
    readonly times: AnswerTimes,
    readonly gateways: GatewayBalancer,
    readonly orders: FailpointOrders,
    readonly nats: NatsConnection,
    readonly schemas: Schemas,
    private readonly serviceCalls: ServiceCalls,
    private readonly folder: string,
    private readonly keep: boolean,
    private readonly watch: NodeJS.Timeout,
    private readonly release: Release,
    private readonly nextRelease: string | undefined,
  ) {}

  /** The master keys that decrypt the personal data in payments. */
  get masterKeys(): MasterKeys {
    return masterKeysOf(this.sandbox.dataDir, 'payments');
  }

  static async start({
    onProgress = () => undefined,
    keepIn,
    cluster = false,
    twice = false,
    streamMegabytes,
    twoReleases = false,
    profile = 'sandbox',
  }: ChaosWorldOptions = {}): Promise<ChaosWorld> {
    const folder = keepIn === undefined ? mkdtempSync(join(tmpdir(), 'xs2a-chaos-')) : resolve(keepIn);
    const file = join(folder, 'failpoint');
    const env = Object.fromEntries(serviceNames.map((name) => [name, { FAILPOINT_FILE: file }]));
    const nextRelease = twoReleases ? await makeNextRelease('expand', join(folder, 'next')) : undefined;
    const release: Release = { ofSeconds: undefined };
    const sandbox = await startSandbox({
      sourceMaps: false,
      checkoutFor: (name) =>
        name.endsWith('-2') && release.ofSeconds !== undefined
          ? checkoutWith(release.ofSeconds, name)
          : undefined,
      profile,
      dataDir: join(folder, 'sandbox'),
      port: 0,
      natsNodes: cluster ? 3 : 1,
      twice: twice ? serviceNames : [],
      ...(twice ? { standby: { synchronous: true, atStart: false } } : {}),
      env,
      onProgress,
      ...(streamMegabytes === undefined
        ? {}
        : { streamMegabytes: { payments: streamMegabytes, consents: streamMegabytes } }),
    });
    if (nextRelease !== undefined) await migratePayments(nextRelease, sandbox.databaseUrl('xs2a_owner'));
    const nats = await connectStreams(sandbox.natsUrl(), 'chaos', createLogger('chaos', 'silent'));
    const serviceCalls = new ServiceCalls(sandbox, 'chaos');
    const log = new ClientLog();
    const gateways = new GatewayBalancer(sandbox.baseUrl, sandbox.doors);
    const times = new AnswerTimes(
      () => performance.now(),
      (slow) => onProgress(`slow: ${describeSlow(slow)}`),
      gateways.send,
    );
    const receiver = await HttpReceiver.start();
    // The TPP is registered with the origin that receives its notifications.
    const credentials = await registerTpp(sandbox.baseUrl, 'Fault run', `${receiver.url}/callback`);
    const client = new TppClient(sandbox.baseUrl, credentials, times.send);
    return new ChaosWorld(
      sandbox,
      new SteadyTpp(
        client,
        serviceCalls,
        log,
        times,
        `${receiver.url}/push`,
        isEuro(profile) ? formsInEuro : formsInLev,
      ),
      receiver,
      log,
      times,
      gateways,
      new FailpointOrders(file),
      nats,
      new Schemas(sandbox.databaseUrl('postgres')),
      serviceCalls,
      folder,
      keepIn !== undefined,
      watchOwnStops(times),
      release,
      nextRelease,
    );
  }

  /** The folder with the files of the nats-server, with a subfolder for each node of a cluster. */
  get natsFolder(): string {
    return makeLayout(join(this.folder, 'sandbox')).nats;
  }

  /** Reads the log of one sandbox process. */
  readLog(name: string): string {
    return makeLayout(join(this.folder, 'sandbox')).log(name);
  }

  /** Creates a PSU with the given number of current accounts in the bank's home currency. */
  async psu(opening: string, accounts = 1): Promise<Psu> {
    const openings = Array.from({ length: accounts }, () => opening);
    const json = personIn(this.isEuro ? 'EUR' : 'BGN', openings);
    return bodyOf<Psu>(await this.tpp.insist('POST', '/sandbox/psus', { json }), 201);
  }

  /** Whether the bank works in euro, with instant payments and the verification of payees. */
  get isEuro(): boolean {
    return isEuro(this.sandbox.profile);
  }

  /** Seconds within which due work must be done (invariant 7). An instant payment may itself take ten seconds. */
  get restSeconds(): number {
    return this.isEuro ? 20 : 10;
  }

  get clockStands(): boolean {
    return this.clock.isHeld;
  }

  /** Runs `work` while {@link advance} is kept from moving the clock. */
  async whileClockStands<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.clock.hold(work);
  }

  /**
   * Moves the sandbox clock by an ISO duration, possibly more than once: an attempt whose outcome is unknown may
   * have moved it as well.
   */
  async advance(by: string): Promise<void> {
    const json = { advance: by };
    expectStatus(await this.clock.move(async () => this.tpp.insist('POST', '/sandbox/clock', { json })), 200);
  }

  /** Moves the clock by the given number of milliseconds without waiting for the work that becomes due. */
  async moveClock(byMs: number): Promise<void> {
    await this.tpp.until('the clock', async () => this.serviceCalls.call(advanceClock, { byMs }));
  }

  /** Stops the second processes cleanly and starts them from the build of this release or the next. */
  async startSeconds(from: 'this' | 'next'): Promise<void> {
    this.release.ofSeconds = from === 'this' ? undefined : this.nextRelease;
    await Promise.all(Object.values(this.sandbox.seconds).map(async (process) => process.restart()));
  }

  async stop(): Promise<void> {
    clearInterval(this.watch);
    await this.schemas.end();
    await this.gateways.stop();
    await Promise.all([this.nats.close(), this.serviceCalls.close()]);
    await this.sandbox.stop();
    await this.receiver.stop();
    if (!this.keep) rmSync(this.folder, { recursive: true, force: true });
  }
}

const isEuro = (profile: ProfileName): boolean => profile.startsWith('bg-euro');

const beatMs = 100;

/** Records when this process was too busy to read responses, which would otherwise be counted as late. */
const watchOwnStops = (times: AnswerTimes): NodeJS.Timeout => {
  let last = performance.now();
  return setInterval(() => {
    const now = performance.now();
    const late = now - last - beatMs;
    if (late > beatMs) times.stoodStill(late);
    last = now;
  }, beatMs);
};
