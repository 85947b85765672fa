import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  /** While true, neither side is notified when the other side closes the connection. */
  isHeld: boolean;
}

/**
 * A loopback address that forwards to a port: the virtual IP that a bank moves to the promoted database server, or
 * a network link that a test cuts or freezes.
 */
export class TcpSwitch {
  private readonly open = new Set<Pair>();
  private readonly server = createServer((client) => this.connect(client));

  private constructor(private target: number | undefined | (() => number | undefined)) {}

  /**
   * Listens on the given port, or on a free one. `target`: a port, or a function that returns the port for each
   * connection. If there is no port, the connection is closed.
   */
  static async start(target: number | undefined | (() => number | undefined), port = 0): Promise<TcpSwitch> {
    const made = new TcpSwitch(target);
    made.server.listen(port, '127.0.0.1');
    await once(made.server, 'listening');
    return made;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Forwards new connections to this port and closes the connections to other ports. */
  pointAt(target: number): void {
    if (target !== this.target) this.cut();
    this.target = target;
  }

  /** Drops every connection, including data in transit, and closes new connections immediately. */
  cut(): void {
    this.target = undefined;
    this.endAll(this.open);
  }

  /**
   * Freezes the open connections: they carry no more bytes in either direction, and neither side is notified when
   * the other closes, as when a host vanishes. New connections still work. Returns a function that closes the
   * frozen ones.
   */
  hold(): () => void {
    const held = [...this.open];
    for (const pair of held) {
      pair.isHeld = true;
      for (const [socket, other] of listSides(pair)) {
        socket.unpipe(other);
        socket.pause();
      }
    }
    return () => this.endAll(held);
  }

  async stop(): Promise<void> {
    this.cut();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }

  private endAll(pairs: Iterable<Pair>): void {
    for (const { client, server } of pairs) {
      client.destroy();
      server.destroy();
    }
  }

  private connect(client: Socket): void {
    const target = typeof this.target === 'function' ? this.target() : this.target;
    if (target === undefined) {
      client.destroy();
      return;
    }
    const server = connect({ port: target, host: '127.0.0.1', noDelay: true });
    client.setNoDelay(true);
    const pair: Pair = { client, server, isHeld: false };
    this.open.add(pair);
    for (const [socket, other] of listSides(pair)) {
      socket.on('close', () => {
        if (!pair.isHeld) other.destroy();
        if (other.destroyed) this.open.delete(pair);
      });
      // A broken connection is closed, and the other side notices that.
      socket.on('error', () => undefined);
      socket.pipe(other);
    }
  }
}

const listSides = ({ client, server }: Pair) =>
  [
    [client, server],
    [server, client],
  ] as const;
