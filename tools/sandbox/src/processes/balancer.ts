import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * Distributes new connections over its targets in turn, as a Kubernetes Service does. Existing connections stay
 * open.
 */
export class Balancer {
  private readonly open = new Set<Socket>();
  private given = 0;
  /** URLs of the instances that receive new connections; if there are none, connections are refused. */
  targets: readonly string[] = [];

  private readonly server = createServer((from) => {
    const target = this.targets[this.given++ % this.targets.length];
    if (target === undefined) return from.destroy();
    const { hostname, port } = new URL(target);
    const to = connect(Number(port), hostname);
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      this.open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => this.open.delete(one));
      one.pipe(other);
    }
    return undefined;
  });

  /** Starts on the given port; 0 picks a free one. Returns the URL. */
  async start(port = 0): Promise<string> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    for (const socket of this.open) socket.destroy();
  }
}
