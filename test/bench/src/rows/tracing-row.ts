import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connections } from '../hops/hops.js';
import { inTurns } from '../hops/turns.js';
import { listCpu, sumCpu } from '../load/cpu-time.js';
import { problemOf } from '../load/measure.js';
import { type FigureRow, type Found, formatRate, type RowOptions } from '../row.js';
import { BenchWorld } from '../world/bench-world.js';
import { postPayments } from './payment-rows.js';

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

/** Sends POST payments to two services in turns, one with tracing and one without. */
const compare = async (
  { off, on }: { readonly off: BenchWorld; readonly on: BenchWorld },
  drain: Drain,
  { seconds, warmUpSeconds }: RowOptions,
): Promise<Found> => {
  const turn = async (world: BenchWorld) => ({
    plan: { ...world.entrance, connections, seconds, warmUpSeconds, ...(await postPayments(world)) },
    parts: world.parts,
  });
  const [without, traced] = await inTurns([await turn(off), await turn(on)], seconds);
  if (without === undefined || traced === undefined) throw new Error('the rows were not measured');
  const value = sumCpu(traced.cpu) / sumCpu(without.cpu);
  return {
    value,
    ratio: value,
    perSecond: traced.perSecond,
    p50: traced.p50,
    p99: traced.p99,
    cpu: traced.cpu,
    notes: [
      `without tracing: ${formatRate(without.perSecond)} a second, ${sumCpu(without.cpu).toFixed(2)} CPU ms a request: ${listCpu(without.cpu)}`,
      `the collector received ${Math.round(drain.bytes / traced.sent)} bytes for each request`,
    ],
    problem: problemOf(without, traced),
  };
};

export const tracingRow: FigureRow = {
  name: 'tracing',
  title: 'POST payment with the spans of every trace recorded, CPU time relative to tracing off',
  targets: { sandbox: { atMost: 1.3, unit: '×' } },
  measure: async (options) => {
    const drain = new Drain();
    const worlds: BenchWorld[] = [];
    const start = async (name: string, collectorUrl?: string): Promise<BenchWorld> => {
      const folder = join(options.folder, name);
      mkdirSync(folder);
      const world = await BenchWorld.start({ ...options, folder, collectorUrl });
      worlds.push(world);
      return world;
    };
    try {
      const collectorUrl = await drain.start();
      const [off, on] = [await start('off'), await start('on', collectorUrl)];
      return await compare({ off, on }, drain, options);
    } finally {
      for (const world of worlds) await world.stop();
      drain.stop();
    }
  },
};
