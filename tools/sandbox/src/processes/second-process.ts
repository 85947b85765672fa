import { freePort } from '@xs2a/local-servers/free-port';
import { TcpSwitch } from '@xs2a/local-servers/tcp-switch';
import type { ServiceName, Surroundings } from '../services/service-table.js';

/** The ports at which the servers of a sandbox are reached. */
export interface ServerPorts {
  /** The primary's process id, which changes after a promotion; undefined while the primary is down. */
  readonly postgres: () => number | undefined;
  readonly nats: readonly number[];
}

/**
 * The addresses of a service's second process: its own ports, kept across restarts, and its own links to
 * PostgreSQL and NATS.
 */
export class SecondProcess {
  private constructor(
    readonly service: ServiceName,
    readonly healthPort: number,
    /** The port of a gateway or authorization server. */
    readonly port: number,
    private readonly postgres: TcpSwitch,
    private readonly nats: ReadonlyMap<number, TcpSwitch>,
  ) {}

  static async make(service: ServiceName, servers: ServerPorts): Promise<SecondProcess> {
    const nats = new Map<number, TcpSwitch>();
    for (const port of servers.nats) nats.set(port, await TcpSwitch.start(port));
    const [healthPort, port] = [await freePort(), await freePort()];
    return new SecondProcess(service, healthPort, port, await TcpSwitch.start(servers.postgres), nats);
  }

  get name(): `${ServiceName}-2` {
    return `${this.service}-2`;
  }

  /** Returns the second process's settings: those of the first (`at`), with its own ports. */
  surroundings(at: Surroundings): Surroundings {
    return {
      ...at,
      healthPort: () => this.healthPort,
      publicPort: this.port,
      authPort: this.service === 'auth' ? this.port : at.authPort,
      portalPort: this.service === 'portal' ? this.port : at.portalPort,
      databaseUrl: (role) => {
        const url = new URL(at.databaseUrl(role));
        url.port = String(this.postgres.port);
        return url.href;
      },
      natsUrl: (account) =>
        [...this.nats].reduce(
          (url, [port, link]) => url.replace(`127.0.0.1:${port}`, `127.0.0.1:${link.port}`),
          at.natsUrl(account),
        ),
    };
  }

  /** Calls {@link TcpSwitch.hold} on all its links. */
  hold(): () => void {
    const releases = [this.postgres, ...this.nats.values()].map((link) => link.hold());
    return () => {
      for (const release of releases) release();
    };
  }

  async stop(): Promise<void> {
    await Promise.all([this.postgres, ...this.nats.values()].map(async (link) => link.stop()));
  }
}
