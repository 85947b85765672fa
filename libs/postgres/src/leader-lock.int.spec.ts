// Lane: long (it takes a quarter of a minute or more).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { databaseRoles, prepareDatabases } from '@xs2a/local-servers/databases';
import { type PostgresServer, startPostgres } from '@xs2a/local-servers/postgres-server';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type Pool } from 'pg';
import { LeaderLock } from './leader-lock.js';
import { createPool } from './pool.js';
import { sessionLockTable, tryLock, withSessionLock } from './session-lock.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-leader-lock-'));
let server: PostgresServer;
let pool: Pool;
const stop = new AbortController().signal;
const poolAt = (url: string): Pool => createPool({ url, name: 'test', max: 4 });

/** A proxy to the server that, once cut, drops all traffic without notifying either end. */
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
  const owner = poolAt(server.url('xs2a_owner'));
  await owner.query(sessionLockTable('settlement'));
  await owner.end();
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

/** Resolves once the server has ended these sessions. */
const ended = async (pids: readonly number[]): Promise<void> => {
  for (;;) {
    const { rows } = await pool.query('SELECT FROM pg_stat_get_activity(NULL) WHERE pid = ANY($1)', [pids]);
    if (rows.length === 0) return;
  }
};

describe('the leader lock (architecture, Settlement)', () => {
  it('is held by only one of the candidates and, once released, by another', async () => {
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

  it('is obtained by exactly one of many concurrent candidates each time it becomes free', async () => {
    let term = 0;
    for (let round = 0; round < 20; round += 1) {
      const sessions = await Promise.all(Array.from({ length: 4 }, async () => pool.connect()));
      const held = await Promise.all(sessions.map(async (session) => tryLock(session, 'many')));
      const terms = held.flatMap((one) => (one === undefined ? [] : [one.term]));
      expect(terms).toEqual([term + 1]);
      [term = 0] = terms;
      for (const session of sessions) session.release(true);
      await ended(sessions.map((session) => (session as unknown as { processID: number }).processID));
    }
  });

  it('cannot be obtained, blocked or taken over by the role of another service', async () => {
    for (const role of databaseRoles.filter((one) => !['xs2a_owner', 'xs2a_settlement'].includes(one))) {
      const other = new Client({ connectionString: server.url(role) });
      await other.connect();
      const lock = await LeaderLock.acquire(pool, 'settlement', { stop: AbortSignal.timeout(10_000) });
      for (const statement of [
        'SELECT FROM settlement.session_lock',
        'DO $$ BEGIN LOCK TABLE settlement.session_lock; END $$',
        "INSERT INTO settlement.session_lock (name, term) VALUES ('settlement', 99)",
        'UPDATE settlement.session_lock SET pid = pg_backend_pid()',
        'DELETE FROM settlement.session_lock',
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'xs2a_settlement'",
      ])
        await expect(other.query(statement)).rejects.toMatchObject({ code: '42501' });
      await lock?.confirm();
      expect(lock?.lost.aborted).toBe(false);
      lock?.release();
      await other.end();
    }
  }, 30_000);

  it('is obtained by the next candidate immediately after the process of the leader is killed', async () => {
    const at = (name: string): string => JSON.stringify(new URL(`../dist/${name}.js`, import.meta.url).href);
    const program = `import { LeaderLock } from ${at('leader-lock')};
      import { createPool } from ${at('pool')};
      const pool = createPool({ url: ${JSON.stringify(server.url('xs2a_settlement'))}, name: 'leader' });
      await LeaderLock.acquire(pool, 'killed', { stop: new AbortController().signal });
      process.stdout.write('leads');`;
    const leader = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(leader.stdout, 'data');
    expect(await sessions('killed')).toEqual(['active']);
    leader.kill('SIGKILL');
    const begun = performance.now();
    const next = await LeaderLock.acquire(pool, 'killed', { stop });
    expect(performance.now() - begun).toBeLessThan(5000);
    next?.release();
  });

  it('is lost if its row names another session or if the server has changed', async () => {
    const lock = await LeaderLock.acquire(pool, 'given', { stop });
    const other = await pool.connect();
    expect(await tryLock(other, 'given')).toBeUndefined();
    // Simulates a server restart: no session exists with this id and this start time.
    await other.query("UPDATE session_lock SET session_start = 'epoch' WHERE name = 'given'");
    const taken = await tryLock(other, 'given');
    expect(taken?.term).toBe(2);
    await expect(lock?.confirm()).rejects.toThrow('given to another session');
    expect(lock?.lost.aborted).toBe(true);
    other.release(true);
  });

  it('is lost within 15 s by a leader that is frozen or whose host has vanished, but is kept by an idle leader', async () => {
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

describe('a lock held for one task, such as archiving, a rebuild or migrations', () => {
  it('is released within eleven seconds after the host of its holder has vanished, because PostgreSQL probes the connection', async () => {
    const distant = poolAt(server.url('xs2a_settlement'));
    const session = await distant.connect();
    const probes = async (): Promise<unknown> =>
      (
        await session.query(
          "SELECT name, setting FROM pg_settings WHERE name ~ '^tcp_(keepalives|user)' AND source = 'session' ORDER BY name",
        )
      ).rows;
    const pool = { connect: async () => session } as unknown as Pool;
    const errors = { refused: () => new Error('refused'), lost: () => new Error('lost') };
    expect(await withSessionLock(pool, 'work', errors, probes)).toEqual([
      { name: 'tcp_keepalives_count', setting: '3' },
      { name: 'tcp_keepalives_idle', setting: '5' },
      { name: 'tcp_keepalives_interval', setting: '2' },
      { name: 'tcp_user_timeout', setting: '10000' },
    ]);
    await distant.end();
  });
});
