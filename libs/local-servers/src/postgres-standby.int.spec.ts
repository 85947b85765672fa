// Lane: long (it takes half a minute).
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type PostgresServer, startPostgres } from './postgres-server.js';
import { type PostgresStandby, startStandby } from './postgres-standby.js';

const query = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url, query_timeout: 20_000 });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
};

describe('a standby of the local PostgreSQL', () => {
  let folder: string;
  let primary: PostgresServer;
  const running: PostgresServer[] = [];
  const launchStandby = async (
    of: PostgresServer,
    name: string,
    synchronous: boolean,
  ): Promise<PostgresStandby> => {
    const standby = await startStandby(of, { dataDir: join(folder, name), name, synchronous });
    running.push(standby);
    return standby;
  };
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'xs2a-standby-'));
    primary = await startPostgres({ dataDir: join(folder, 'first') });
    running.push(primary);
    await query(primary.url(), 'CREATE TABLE kept AS SELECT 1 AS number');
  }, 60_000);
  afterEach(async () => {
    for (const server of running.splice(0).toReversed()) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has every commit acknowledged by a synchronous primary, and accepts writes once promoted', async () => {
    const standby = await launchStandby(primary, 'second', true);
    await query(primary.url(), 'INSERT INTO kept VALUES (2)');
    primary.kill();
    await standby.promote();
    expect(await query(standby.url(), 'INSERT INTO kept VALUES (3)')).toEqual([]);
    expect(await query(standby.url(), 'TABLE kept')).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
  }, 60_000);

  it('lacks what an asynchronous primary committed after the link was cut', async () => {
    const standby = await launchStandby(primary, 'second', false);
    await query(primary.url(), 'INSERT INTO kept VALUES (2)');
    await standby.caughtUp();
    standby.cutOff();
    await query(primary.url(), 'INSERT INTO kept VALUES (3)');
    primary.kill();
    await standby.promote();
    expect(await query(standby.url(), 'TABLE kept')).toEqual([{ number: 1 }, { number: 2 }]);
  }, 60_000);

  it('makes a synchronous primary wait while its link is cut, and lets it continue afterwards', async () => {
    const standby = await launchStandby(primary, 'second', true);
    standby.cutOff();
    const written = query(primary.url(), 'INSERT INTO kept VALUES (2)');
    for (;;) {
      const waiting = await query(primary.url(), "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
      if (waiting.length > 0) break;
    }
    expect(await Promise.race([written, 'unconfirmed'])).toBe('unconfirmed');
    standby.reconnect();
    await written;
    expect(await query(standby.url(), 'SELECT count(*)::int AS count FROM kept')).toEqual([{ count: 2 }]);
  }, 60_000);

  it('can be promoted and then followed by a new standby, which can be promoted too', async () => {
    const second = await launchStandby(primary, 'second', true);
    primary.kill();
    await second.promote();
    const third = await launchStandby(second, 'third', true);
    await query(second.url(), 'INSERT INTO kept VALUES (2)');
    second.kill();
    await third.promote();
    await query(third.url(), 'INSERT INTO kept VALUES (3)');
    expect(await query(third.url(), 'SELECT count(*)::int AS count FROM kept')).toEqual([{ count: 3 }]);
  }, 60_000);
});
