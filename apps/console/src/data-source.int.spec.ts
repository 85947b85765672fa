import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConsoleWorld, startConsoleWorld } from './testing/console-world.js';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await startConsoleWorld();
}, 60_000);
afterAll(async () => world.stop());

describe('the entities of this service', () => {
  it('match the tables that the migrations create, with no pending changes', async () => {
    const { upQueries } = await world.source.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });
});

describe('TypeORM on the connection pool of the service', () => {
  it('takes its connections from the pool and returns them', async () => {
    const { source, pool } = world;
    const before = pool.totalCount;
    await source.transaction(async (manager) => {
      expect(pool.totalCount - pool.idleCount).toBe(1);
      await manager.query('SELECT 1');
    });
    expect(pool.idleCount).toBe(pool.totalCount);
    expect(pool.totalCount).toBeLessThanOrEqual(Math.max(before, 1));
  });

  it('discards a connection on which a statement got no response', async () => {
    const { source, pool } = world;
    const unanswered = new Error('Query read timeout');
    const client = await pool.connect();
    client.release();
    const query = client.query;
    Reflect.set(client, 'query', async () => Promise.reject(unanswered));
    await expect(source.transaction(async (manager) => manager.query('SELECT 1'))).rejects.toThrow(
      'Query read timeout',
    );
    Reflect.set(client, 'query', query);
    const others = await Promise.all([pool.connect(), pool.connect()]);
    expect(others).not.toContain(client);
    for (const other of others) other.release();
  });
});
