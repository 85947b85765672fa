import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool } from '@xs2a/postgres/pool';
import type { Pool } from 'pg';
import {
  countCall,
  consentBody,
  moveClock,
  received,
  startWorld,
  validConsent,
  type World,
} from '../testing/consents-world.js';

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

const eventually = async (isDone: () => Promise<boolean>, withinMs = 20_000): Promise<void> => {
  const deadline = performance.now() + withinMs;
  while (!(await isDone())) if (performance.now() > deadline) throw new Error('it was not done in time');
};

describe('due consents', () => {
  it('end even if this release cannot read other due consents that fill more than one batch', async () => {
    const { consentId } = await received(world);
    const dueAtMs = world.clock.nowMs() + 24 * 3600 * 1000;
    const body = consentBody(world, { recurringIndicator: false, frequencyPerDay: 1 });
    const use = async (): Promise<string> => {
      const consent = await validConsent(world, { body });
      expect(await countCall(world, consent, { endpoint: 'accounts' })).toBeUndefined();
      return consent.consentId;
    };
    const used: string[] = [];
    while (used.length < 210) used.push(...(await Promise.all(Array.from({ length: 10 }, use))));
    await owner.query(
      "UPDATE consents.events SET type = 'of-tomorrow' WHERE stream_id = ANY ($1) AND version = 2",
      [used],
    );
    await owner.query(
      "UPDATE consents.consent_view SET state = state::jsonb - '$state' WHERE stream_id = ANY ($1)",
      [used],
    );
    const isRejected = async (): Promise<boolean> => {
      const { rows } = await world.pool.query<{ status: string }>(
        'SELECT status FROM consent_view WHERE stream_id = $1',
        [consentId],
      );
      return rows[0]?.status === 'rejected';
    };
    // The counters are less than a day old, so they are not removed yet.
    world.clock.raiseTo(world.clock.offsetMs + dueAtMs - world.clock.nowMs());
    await received(world);
    await eventually(isRejected);
  }, 60_000);

  it('all end, even if a single statement for many of them would time out and counters cannot be removed', async () => {
    for (let round = 0; round < 5; round += 1)
      await Promise.all(Array.from({ length: 20 }, async () => received(world)));
    await owner.query(`
      REVOKE DELETE ON consents.access_window FROM xs2a_consents;
      CREATE FUNCTION consents.slowly() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_sleep(0.15); RETURN new; END';
      CREATE TRIGGER slowly BEFORE UPDATE ON consents.consent_view FOR EACH ROW EXECUTE FUNCTION consents.slowly()`);
    moveClock(world, 24 * 3600);
    // Any call conveys the new time to the service.
    await received(world);
    const deadline = performance.now() + 100_000;
    while ((await waiting()) > 1 && performance.now() < deadline);
    expect(await waiting()).toBe(1);
  }, 120_000);
});
