import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prepareDatabases } from '@xs2a/local-servers/databases';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { LeaderLock } from './leader-lock.js';
import { createPool } from './pool.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-leader-lock-'));
let server: PostgresServer;
let pool: Pool;
const stop = new AbortController().signal;
const poolAt = (url: string): Pool => createPool({ url, name: 'test', max: 4 });

/** A way to the server on which everything is lost once it is cut: neither end is told. */
class Way {
  private isCut = false;
  private readonly sockets: Socket[] = [];

  private constructor(private readonly listener: Server) {}

  static async to(port: number): Promise<Way> {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const way = new Way(listener);
    listener.on('connection', (near) => {
      const far = connect(port, '127.0.0.1');
      way.sockets.push(near, far);
      near.on('data', (data) => way.isCut || far.write(data)).on('error', () => undefined);
      far.on('data', (data) => way.isCut || near.write(data)).on('error', () => undefined);
    });
    return way;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  cut(): void {
    this.isCut = true;
  }

  close(): void {
    this.listener.close();
    for (const socket of this.sockets) socket.destroy();
  }
}

beforeAll(async () => {
  server = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  await prepareDatabases(server.url());
  pool = poolAt(server.url('xs2a_settlement'));
}, 60_000);
afterAll(async () => {
  await pool?.end();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const sessions = async (name: string): Promise<string[]> => {
  const { rows } = await pool.query<{ state: string }>(
    `SELECT split_part(application_name, ' ', 2) AS state FROM pg_stat_activity
     WHERE application_name LIKE $1 || ' %' ORDER BY 1`,
    [name],
  );
  return rows.map(({ state }) => state);
};

describe('the lock of the one that leads', () => {
  it('is had by one of all who ask, and by the next once it is given back', async () => {
    const first = await LeaderLock.acquire(pool, 'a', { stop });
    const refused = Promise.withResolvers<void>();
    const waited = LeaderLock.acquire(pool, 'a', { stop, everyMs: 5, heldElsewhere: refused.resolve });
    await refused.promise;
    expect(await sessions('a')).toEqual(['active', 'standby']);
    first?.release();
    const second = await waited;
    expect(await sessions('a')).toEqual(['active']);
    second?.release();
  });

  it('is lost within 15 s by one that is frozen or whose host has vanished, not by one that is only idle', async () => {
    const url = new URL(server.url('xs2a_settlement'));
    const way = await Way.to(Number(url.port));
    url.port = String(way.port);
    url.hostname = '127.0.0.1';
    const distant = poolAt(url.href);
    const idle = await LeaderLock.acquire(pool, 'idle', { stop });
    const vanished = await LeaderLock.acquire(distant, 'b', { stop });
    if (vanished === undefined) throw new Error('not had');
    const lost = once(vanished.lost, 'abort');
    const begun = performance.now();
    way.cut();
    const next = await LeaderLock.acquire(pool, 'b', { stop });
    expect(performance.now() - begun).toBeLessThan(15_000);
    await next?.confirm();
    await lost;
    await expect(vanished.confirm()).rejects.toThrow(/not queryable|terminated|closed/);
    await idle?.confirm();
    expect(idle?.lost.aborted).toBe(false);
    for (const lock of [next, idle]) lock?.release();
    way.close();
    await distant.end();
  }, 30_000);
});
