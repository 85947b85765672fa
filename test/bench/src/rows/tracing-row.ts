import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FigureRow } from '../row.js';
import { postPayments } from './payment-rows.js';
import { compareServices } from './two-services.js';

/** A collector that counts the bytes that it receives and keeps nothing, so that it costs little itself. */
class Drain {
  bytes = 0;
  private readonly server: Server = createServer((request, response) => {
    request.on('data', ({ length }: Buffer) => {
      this.bytes += length;
    });
    request.on('end', () => response.end());
  });

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

export const tracingRow: FigureRow = {
  name: 'tracing',
  title: 'POST payment with the spans of every trace recorded, CPU time relative to tracing off',
  targets: { sandbox: { atMost: 1.3, unit: '×' } },
  measure: async (options) => {
    const drain = new Drain();
    try {
      const on = { collectorUrl: await drain.start() };
      const { found, sent } = await compareServices(options, { without: {}, on, prepare: postPayments });
      const note = `the collector received ${Math.round(drain.bytes / sent)} bytes for each request`;
      return { ...found, notes: [...found.notes, note] };
    } finally {
      drain.stop();
    }
  },
};
