import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const maxFarewellMs = 500;
const lookEveryMs = 10;

/**
 * Idle connections that clients keep for their next request. A server that closes them while draining may do so
 * just as such a request arrives, which would then get no response, so clients are asked to close them first.
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
   * From now on, each response is the last one on its connection. Resolves when all are closed, or after half a
   * second. Checks at least twice, because a connection may have been opened that this process has not seen yet.
   */
  async leave(): Promise<void> {
    this.leaving = true;
    const end = performance.now() + maxFarewellMs;
    do await pause(lookEveryMs);
    while (this.open.size > 0 && performance.now() < end);
  }
}
