import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One of the instances behind a balancer. */
export interface BalancedInstance {
  readonly port: number;
  isUp(): boolean;
}

/**
 * Like a Kubernetes Service, sends each new connection to the next instance that is up, and skips an instance that
 * refuses it. If none is up, tries all of them.
 */
export class TcpBalancer {
  private readonly open = new Map<Socket, number>();
  private readonly server = createServer((client) => this.lead(client, this.candidates()));
  private turn = 0;

  private constructor(private readonly instances: readonly BalancedInstance[]) {}

  static async start(instances: readonly BalancedInstance[]): Promise<TcpBalancer> {
    const made = new TcpBalancer(instances);
    made.server.listen(0, '127.0.0.1');
    await once(made.server, 'listening');
    return made;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Closes the connections to the instance on this port. */
  end(port: number): void {
    for (const [socket, to] of this.open) if (to === port) socket.destroy();
  }

  async stop(): Promise<void> {
    this.server.close();
    for (const socket of this.open.keys()) socket.destroy();
    await once(this.server, 'close');
  }

  private candidates(): readonly number[] {
    this.turn += 1;
    const all = this.instances.map((_, index) => this.instances[(index + this.turn) % this.instances.length]);
    const known = all.filter((one) => one !== undefined);
    const up = known.filter((one) => one.isUp());
    return (up.length > 0 ? up : known).map(({ port }) => port);
  }

  private lead(client: Socket, [port, ...others]: readonly number[]): void {
    if (port === undefined) {
      client.destroy();
      return;
    }
    const server = connect({ port, host: '127.0.0.1', noDelay: true });
    let isConnected = false;
    server.once('error', () => {
      if (!isConnected) this.lead(client, others);
    });
    client.once('error', () => server.destroy());
    client.once('close', () => server.destroy());
    server.once('connect', () => {
      isConnected = true;
      this.open.set(server, port);
      server.once('close', () => {
        this.open.delete(server);
        client.destroy();
      });
      client.pipe(server);
      server.pipe(client);
    });
  }
}
