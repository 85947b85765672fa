import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const maxFarewellMs = 500;
const lookEveryMs = 10;

/**
 * Connections that clients keep for their next request. A server that closes them while it drains may do so in the moment
 * in which such a request is on its way, and nobody answers that; so clients are asked to leave first.
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
   * Each answer from now on is the last one on its connection; resolves when all are closed, or after half a second. Looks
   * twice at least: a connection may have been made that nobody here has seen yet.
   */
  async leave(): Promise<void> {
    this.leaving = true;
    const end = performance.now() + maxFarewellMs;
    do await pause(lookEveryMs);
    while (this.open.size > 0 && performance.now() < end);
  }
}
