import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { otpBinding } from '@xs2a/domain/sca/otp-binding';
import { createLogger } from '@xs2a/observability/logger';
import { newId } from '@xs2a/runtime/ids';
import { testHashKeys } from '@xs2a/runtime/testing/test-master-keys';
import { type AuthWorld, startAuthWorld } from '../../testing/auth-world.js';
import { codeRequest } from '../../testing/code-request.js';
import { Challenges } from './challenges.js';
import { sandboxCodes } from './otp-codes.js';
import { ScaFailures, type ScaSubject } from './sca-failures.js';
import { ScaUnlocks } from './sca-unlocks.js';

let world: AuthWorld;
let failures: ScaFailures;
let unlocks: ScaUnlocks;
const logged: string[] = [];
const by = { operator: 'ivanova', reason: 'case 4711' };

beforeAll(async () => {
  world = await startAuthWorld();
  const { pool, clock } = world;
  failures = new ScaFailures(pool, clock, { HASH_KEYS: testHashKeys });
  const destination = { write: (line: string) => void logged.push(line) };
  unlocks = new ScaUnlocks(pool, clock, failures, createLogger('test', 'trace', { destination }));
}, 60_000);
afterAll(async () => world.stop());

const fail = async (who: ScaSubject, times = 5): Promise<void> => {
  for (let time = 0; time < times; time += 1) await failures.password(who, false);
};
/** Returns a customer whose SCA is locked. */
const lockedCustomer = async (): Promise<{ readonly psuId: string }> => {
  const who = { psuId: `psu ${newId()}` };
  await failures.password(who, true);
  await fail(who);
  expect(await failures.password(who, true)).toBe(false);
  return who;
};
const stored = async (psuId: string): Promise<unknown[]> =>
  (
    await world.pool.query(
      'SELECT psu_id, at, operator, reason, locked_until FROM sca_unlock WHERE psu_id = $1 ORDER BY at',
      [psuId],
    )
  ).rows;
const completeSca = async (who: ScaSubject): Promise<void> => {
  const { pool, clock } = world;
  const challenges = new Challenges(pool, clock, failures, sandboxCodes, {
    AUTH_COOKIE_SECRET: 'x'.repeat(32),
  });
  const binding = otpBinding({ kind: 'consent', resourceId: newId(), accounts: [] });
  const request = codeRequest(who.psuId, binding, 'en');
  await challenges.issue(request);
  expect(await challenges.verify(request.challengeId, who, binding, '123456')).toBe('right');
};

describe('the times of a PSU’s failures (docs/how-to/operate-the-console.md)', () => {
  const times = async (psuId: string) => (await unlocks.read(psuId))?.failedAt;

  it('are kept for the latest ten, newest first, also after a lifted lock and a completed sign-in', async () => {
    const who = { psuId: `psu ${newId()}` };
    const expected: string[] = [];
    for (let time = 0; time < 12; time += 1) {
      world.later(1);
      const before = world.clock.now();
      await failures.password(who, false);
      expected.unshift(before);
      if (time === 3) await failures.password(who, true);
    }
    const found = (await times(who.psuId)) ?? [];
    expect(found.map((at) => at.slice(0, 19))).toEqual(expected.slice(0, 10).map((at) => at.slice(0, 19)));
    await unlocks.lift(who.psuId, by);
    await completeSca(who);
    expect(await times(who.psuId)).toEqual(found);
  });

  it('do not contain right passwords', async () => {
    const who = { psuId: `psu ${newId()}` };
    await failures.password(who, true);
    await failures.password(who, true);
    expect(await times(who.psuId)).toEqual([]);
  });
});

describe('a lock that an operator lifts (contract 12)', () => {
  it('ends at once, and the failures count from zero', async () => {
    const who = await lockedCustomer();
    await unlocks.lift(who.psuId, by);
    expect(await failures.password(who, true)).toBe(true);
    await fail(who, 4);
    expect(await failures.password(who, true)).toBe(true);
    await fail(who, 1);
    expect(await failures.password(who, true)).toBe(false);
  });

  it('is recorded with operator, time, reason and the end of the lifted lock, and the log has no PSU-ID', async () => {
    const { psuId } = await lockedCustomer();
    const lockedUntil = (await unlocks.read(psuId))?.lockedUntil ?? '';
    expect(Date.parse(lockedUntil)).toBeGreaterThan(world.clock.nowMs());
    const lifted = await unlocks.lift(psuId, by);
    expect(lifted).toEqual({ ...by, lockedUntil, at: expect.any(String) });
    expect(await stored(psuId)).toEqual([
      { ...by, psu_id: psuId, at: new Date(lifted?.at ?? ''), locked_until: new Date(lockedUntil) },
    ]);
    expect(await unlocks.read(psuId)).toMatchObject({
      failures: 0,
      lockedUntil: undefined,
      lifted: [lifted],
    });
    const lines = logged.filter((line) => line.includes('lifted an SCA lock'));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join()).not.toContain(psuId);
  });

  it('does not exist if SCA is not locked: nothing changes and nothing is recorded', async () => {
    const who = { psuId: `psu ${newId()}` };
    await fail(who, 3);
    expect(await unlocks.lift(who.psuId, by)).toBeUndefined();
    expect(await unlocks.read(who.psuId)).toMatchObject({ failures: 3, lockedUntil: undefined, lifted: [] });
    await fail(who, 2);
    world.later(30 * 60 + 1);
    expect(await unlocks.lift(who.psuId, by)).toBeUndefined();
    expect(await unlocks.read(who.psuId)).toMatchObject({ failures: 0, lockedUntil: undefined, lifted: [] });
    expect(await stored(who.psuId)).toEqual([]);
  });

  it('is unknown for a PSU-ID that nobody has signed in with or tried to', async () => {
    const psuId = `nobody ${newId()}`;
    expect(await unlocks.lift(psuId, by)).toBeUndefined();
    expect(await unlocks.read(psuId)).toBeUndefined();
  });

  it('is lifted and recorded only once if ten requests arrive at the same time', async () => {
    // In the first round, most requests still wait for a new connection.
    for (let round = 0; round < 5; round += 1) {
      const { psuId } = await lockedCustomer();
      const lifted = await Promise.all(Array.from({ length: 10 }, async () => unlocks.lift(psuId, by)));
      expect(lifted.filter((one) => one !== undefined)).toHaveLength(1);
      expect(await stored(psuId)).toHaveLength(1);
    }
  });

  it('stays lifted if sign-ins fail at the same time, whichever comes first', async () => {
    for (let round = 0; round < 10; round += 1) {
      const who = await lockedCustomer();
      const failing = async () => failures.password(who, false);
      const [, , lifted] = await Promise.all([
        failing(),
        failing(),
        unlocks.lift(who.psuId, by),
        failing(),
        failing(),
      ]);
      expect(lifted).toBeDefined();
      expect(await stored(who.psuId)).toHaveLength(1);
      const { failures: count = 0, lockedUntil } = (await unlocks.read(who.psuId)) ?? {};
      expect(lockedUntil).toBeUndefined();
      expect(count).toBeLessThanOrEqual(4);
      await fail(who, 5 - count);
      expect(await failures.password(who, true)).toBe(false);
    }
  }, 60_000);

  it('may be that of a customer who has never signed in here, and whose name is stored as an HMAC', async () => {
    const who = { psuId: `psu ${newId()}` };
    await fail(who);
    expect(await unlocks.lift(who.psuId, by)).toMatchObject(by);
    expect(await failures.password(who, true)).toBe(true);
    expect(await failures.greeting(who.psuId)).toMatchObject({ notice: 'unlocked' });
  });

  it('ends in the browsers in which the PSU has completed SCA too, where the failures also count from zero', async () => {
    const psuId = `psu ${newId()}`;
    const [known, other] = [
      { psuId, browser: newId() },
      { psuId, browser: newId() },
    ];
    await fail(other, 4);
    world.later(1);
    await fail(known);
    expect(await failures.password(known, true)).toBe(false);
    world.later(1);
    await unlocks.lift(psuId, by);
    expect(await failures.password(known, true)).toBe(true);
    await fail(other, 4);
    expect(await failures.password(other, true)).toBe(true);
    world.later(1);
    await fail(known);
    expect(await failures.password(known, true)).toBe(false);
  });

  it('is reported after each sign-in until a PSU who saw the report has completed an SCA', async () => {
    const who = await lockedCustomer();
    const notice = async () => (await failures.greeting(who.psuId)).notice;
    expect(await notice()).toBeUndefined();
    await unlocks.lift(who.psuId, by);
    expect([await notice(), await notice()]).toEqual(['unlocked', 'unlocked']);
    // This session signed in before the lock was lifted.
    await completeSca(who);
    expect(await notice()).toBe('unlocked');
    await completeSca({ ...who, knowsOfUnlock: true });
    expect(await notice()).toBeUndefined();
  });
});

describe('the record of a lifted lock (docs/how-to/retention.md)', () => {
  it('cannot be changed or removed, except that its PSU-ID can be removed', async () => {
    const { psuId } = await lockedCustomer();
    await unlocks.lift(psuId, by);
    const { pool, owner } = world;
    const where = 'WHERE psu_id = $1';
    await expect(pool.query(`DELETE FROM sca_unlock ${where}`, [psuId])).rejects.toThrow('permission denied');
    await expect(pool.query(`UPDATE sca_unlock SET reason = 'x' ${where}`, [psuId])).rejects.toThrow(
      'permission denied',
    );
    for (const change of [
      'DELETE FROM auth.sca_unlock',
      "UPDATE auth.sca_unlock SET psu_id = NULL, reason = 'x'",
    ])
      await expect(owner.query(`${change} ${where}`, [psuId])).rejects.toThrow('never changed');
    await expect(pool.query(`UPDATE sca_unlock SET psu_id = 'x' ${where}`, [psuId])).rejects.toThrow(
      'never changed',
    );
    const before = await stored(psuId);
    expect(before).toHaveLength(1);
    await pool.query(`UPDATE sca_unlock SET psu_id = NULL ${where}`, [psuId]);
    expect(await stored(psuId)).toEqual([]);
  });
});
