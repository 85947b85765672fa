import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool } from '@xs2a/postgres/pool';
import type { Pool } from 'pg';
import { moveClock, received, startWorld, type World } from '../testing/consents-world.js';

let world: World;
let owner: Pool;
beforeAll(async () => {
  world = await startWorld(1);
  owner = createPool({ url: world.ownerUrl, name: 'owner', max: 1 });
}, 60_000);
afterAll(async () => {
  await owner.end();
  await world.stop();
});

const waiting = async (): Promise<number> => {
  const { rows } = await world.pool.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM consent_view WHERE status = 'received'",
  );
  return rows[0]?.n ?? 0;
};

describe('consents that are due to end', () => {
  it('all end, although a statement over many takes longer than it may, and counters cannot be tidied', async () => {
    await Promise.all(Array.from({ length: 100 }, async () => received(world)));
    await owner.query(`
      REVOKE DELETE ON consents.access_window FROM xs2a_consents;
      CREATE FUNCTION consents.slowly() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_sleep(0.15); RETURN new; END';
      CREATE TRIGGER slowly BEFORE UPDATE ON consents.consent_view FOR EACH ROW EXECUTE FUNCTION consents.slowly()`);
    moveClock(world, 24 * 3600);
    // The next call of any kind takes the time along.
    await received(world);
    const deadline = performance.now() + 100_000;
    while ((await waiting()) > 1 && performance.now() < deadline);
    expect(await waiting()).toBe(1);
  }, 120_000);
});
