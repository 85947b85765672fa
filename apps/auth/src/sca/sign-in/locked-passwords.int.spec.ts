import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@xs2a/runtime/ids';
import { testHashKeys } from '@xs2a/runtime/testing/test-master-keys';
import { Client } from 'pg';
import { type AuthWorld, startAuthWorld } from '../../testing/auth-world.js';
import { ScaFailures, type ScaSubject } from './sca-failures.js';

let world: AuthWorld;
let failures: ScaFailures;
beforeAll(async () => {
  world = await startAuthWorld();
  failures = new ScaFailures(world.pool, world.clock, { HASH_KEYS: testHashKeys });
}, 60_000);
afterAll(async () => world.stop());
afterEach(() => {
  jest.restoreAllMocks();
});

/** Returns the statements that one password runs, by their names or texts. */
const statements = async (who: ScaSubject, isRight: boolean): Promise<unknown[]> => {
  const query = jest.spyOn(Client.prototype, 'query');
  expect(await failures.password(who, isRight)).toBe(false);
  const ran = query.mock.calls.map(([statement]) => {
    const { name }: { name?: string } = typeof statement === 'object' ? statement : {};
    return name ?? statement;
  });
  query.mockRestore();
  return ran;
};
const lock = async (who: ScaSubject): Promise<void> => {
  for (let failed = 0; failed < 5; failed += 1) await failures.password(who, false);
};

describe('a password while signing is locked (quality, Security)', () => {
  it.each([
    ['a customer', true, undefined],
    ['a customer in a known browser', true, newId()],
    ['a name that nobody has signed in with', false, undefined],
  ])('runs the same statements whether it is right or wrong: %s', async (_who, isKnown, browser) => {
    const who = { psuId: newId(), browser };
    if (isKnown) await failures.password(who, true);
    await lock(who);
    const wrong = await statements(who, false);
    expect(wrong).toContain('psu-sca-write');
    expect(await statements(who, true)).toEqual(wrong);
  });

  it('leaves the lock as it was if it is right', async () => {
    const who = { psuId: newId() };
    await lock(who);
    const before = await failures.read(who.psuId);
    world.later(60);
    expect(await failures.password(who, true)).toBe(false);
    expect(await failures.read(who.psuId)).toEqual(before);
    world.later(29 * 60 + 1);
    expect(await failures.password(who, true)).toBe(true);
  });

  it('reports a lock after the answer', async () => {
    const psuId = newId();
    await failures.password({ psuId }, true);
    const reported: string[] = [];
    failures.onLocked((locked) => reported.push(locked));
    await lock({ psuId });
    const answered = [...reported];
    await new Promise(setImmediate);
    expect([answered, reported]).toEqual([[], [psuId]]);
  });
});
