import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const maxFarewellMs = 500;
const lookEveryMs = 10;

/**
 * Idle connections that clients keep open for their next request. If a draining server closed such a connection
 * just as a request arrived, that request would get no response. Clients are therefore asked to close their
 * connections first.
 */
export class KeptConnections {
  private readonly open = new Set<Socket>();
  private leaving = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.open.add(socket);
      socket.once('close', () => this.open.delete(socket));
    });
    server.prependListener('request', (_request: unknown, response: ServerResponse) => {
      if (this.leaving) response.setHeader('connection', 'close');
    });
  }

  /**
   * From now on, each response is the last one on its connection. Resolves when all connections are closed, or
   * after half a second. Checks at least twice, because a connection may have been opened that this process has
   * not noticed yet.
   */
  async leave(): Promise<void> {
    this.leaving = true;
    const end = performance.now() + maxFarewellMs;
    do await pause(lookEveryMs);
    while (this.open.size > 0 && performance.now() < end);
  }
}
