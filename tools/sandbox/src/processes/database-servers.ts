import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { type PostgresStandby, startStandby } from '@xs2a/local-servers/postgres-standby';
import { TcpSwitch } from '@xs2a/local-servers/tcp-switch';
import { existsSync } from 'node:fs';
import type { Layout } from '../layout.js';
import type { Running, Supervised } from './supervised.js';

export interface StandbyWishes {
  /** If true, each commit waits until the standby has written it to disk. */
  readonly synchronous: boolean;
  /**
   * If true, services and tools reach PostgreSQL through a {@link TcpSwitch} that follows a promotion, like a
   * bank's virtual IP. Default: true; benchmarks set it to false because otherwise every byte would pass through
   * this process.
   */
  readonly follows?: boolean;
  /** If false, the standby is created only by {@link DatabaseServers.addStandby}. Default: true. */
  readonly atStart?: boolean;
}

/** Starts one process of a sandbox and keeps it running. */
export type Supervise = <Process extends Running>(
  name: string,
  start: (signal: AbortSignal) => Promise<Process>,
) => Supervised<Process>;

interface Place {
  readonly dataDir: string;
  readonly logFile: string;
  readonly port?: number;
}

/** The sandbox's database servers: a primary and, if requested, a standby that can be promoted. */
export class DatabaseServers {
  readonly primary: Supervised<PostgresServer>;
  private spare: Supervised<PostgresStandby> | undefined;
  private address: TcpSwitch | undefined;
  private place: Place;
  private count = 1;

  constructor(
    private readonly layout: Layout,
    port: number,
    private readonly supervise: Supervise,
    readonly wishes: StandbyWishes | undefined,
  ) {
    this.place = { dataDir: layout.postgres, logFile: layout.log('postgres'), port };
    this.primary = supervise('postgres', async () => startPostgres(this.place));
  }

  /** Adds the requested standby. Returns the port at which clients reach the current primary. */
  async open(): Promise<number> {
    const { port } = this.primary.current;
    if (this.wishes === undefined) return port;
    if (existsSync(this.getPlace(2).dataDir))
      throw new Error(
        `a sandbox with a standby must start in an empty folder, but ${this.layout.postgres} has data`,
      );
    if (this.wishes.atStart !== false) await this.addStandby();
    if (this.wishes.follows === false) return port;
    this.address = await TcpSwitch.start(port);
    return this.address.port;
  }

  get pids(): readonly number[] {
    return [this.primary.pid, this.spare?.pid ?? 0];
  }

  /** The standby; throws if there is none. */
  get standby(): Supervised<PostgresStandby> {
    if (this.spare === undefined) throw new Error('PostgreSQL has no standby');
    return this.spare;
  }

  /** Copies the primary and starts the copy as its standby. */
  async addStandby(): Promise<void> {
    this.count += 1;
    const place = this.getPlace(this.count);
    const name = `standby_${this.count}`;
    const { synchronous = false } = this.wishes ?? {};
    const spare = this.supervise(`postgres-${this.count}`, async () =>
      startStandby(this.primary.current, { ...place, name, synchronous }),
    );
    this.spare = spare;
    await spare.start();
  }

  /** Kills the primary permanently, promotes the standby and points the address to it. */
  async failOver(): Promise<void> {
    await this.primary.abandon();
    await this.promote();
  }

  /** Stops the primary cleanly once the standby has caught up, then promotes the standby. */
  async switchOver(): Promise<void> {
    await this.primary.stop();
    await this.promote();
  }

  async stop(): Promise<void> {
    await this.primary.stop();
    await this.spare?.stop();
    await this.address?.stop();
  }

  private async promote(): Promise<void> {
    const standby = this.standby.release();
    this.spare = undefined;
    await standby.promote();
    this.place = { ...this.getPlace(this.count), port: standby.port };
    this.primary.adopt(standby);
    this.address?.pointAt(standby.port);
  }

  private getPlace(count: number): Place {
    const name = `postgres-${count}`;
    return { dataDir: `${this.layout.postgres}-${count}`, logFile: this.layout.log(name) };
  }
}
