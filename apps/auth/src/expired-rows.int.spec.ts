// Lane: long (it takes half a minute).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { executeIdempotently } from '@xs2a/postgres/idempotent-execution';
import { newId } from '@xs2a/runtime/ids';
import { testHashKeys } from '@xs2a/runtime/testing/test-master-keys';
import { removeExpired } from './expired-rows.js';
import { ModelAdapter } from './oauth/storage/model-adapter.js';
import { TokenTransactions } from './oauth/storage/token-transaction.js';
import { ScaFailures } from './sca/sign-in/sca-failures.js';
import { ScaUnlocks } from './sca/sign-in/sca-unlocks.js';
import { type AuthWorld, startAuthWorld } from './testing/auth-world.js';

let world: AuthWorld;
let failures: ScaFailures;
beforeAll(async () => {
  world = await startAuthWorld();
  failures = new ScaFailures(world.pool, world.clock, { HASH_KEYS: testHashKeys });
}, 60_000);
afterAll(async () => world.stop());
beforeEach(async () => void (await world.pool.query('DELETE FROM psu_sca')));

const remove = async (maxUnknown?: number): Promise<void> =>
  removeExpired(
    { ...world, revocations: { sweep: async () => undefined }, kept: { PSU_SIGN_IN_DAYS: 396 } },
    maxUnknown,
  );
const kept = async (): Promise<string[]> => {
  const { rows } = await world.pool.query<{ id: string }>('SELECT psu_id AS id FROM psu_sca ORDER BY psu_id');
  return rows.map(({ id }) => names.find((name) => hashed(name) === id) ?? id).toSorted();
};
/** The names that tests enter but that belong to no customer, and the form in which they are stored. */
const names = ['made up', 'locked', ...Array.from({ length: 6 }, (_, at) => `made up ${at}`)];
const hashed = (name: string): string =>
  `${testHashKeys.current.name}:${testHashKeys.current.hmac('psu', name).toString('base64url')}`;
const hour = 3600;

describe('data stored for unauthenticated requests (docs/how-to/retention.md; quality, Reliability)', () => {
  it('is removed in time: interactions when they expire, pushed requests once none of their interactions can be open, refresh tokens a day after they expire', async () => {
    const parts = {
      ...world,
      database: new TokenTransactions(world.pool),
      revocations: { revoke: async () => undefined },
    };
    for (const [model, seconds] of [
      ['Interaction', hour],
      ['PushedAuthorizationRequest', 60],
      ['RefreshToken', hour],
    ] as const)
      await new ModelAdapter(model, parts).upsert(`one ${model}`, { grantId: 'g' }, seconds);
    const look = async (): Promise<Record<string, boolean>> => {
      await remove();
      const { rows } = await world.pool.query<{ model: string }>(
        'SELECT model FROM oidc_model ORDER BY model',
      );
      return Object.fromEntries(rows.map(({ model }) => [model, true]));
    };
    expect(await look()).toEqual({ Interaction: true, PushedAuthorizationRequest: true, RefreshToken: true });
    world.later(hour - 1);
    expect(await look()).toEqual({ Interaction: true, PushedAuthorizationRequest: true, RefreshToken: true });
    // An interaction that began in the last second of its pushed request ends one minute later than the one
    // above.
    world.later(2);
    expect(await look()).toEqual({ PushedAuthorizationRequest: true, RefreshToken: true });
    world.later(60);
    expect(await look()).toEqual({ RefreshToken: true });
    world.later(24 * hour);
    expect(await look()).toEqual({});
  });

  it('is removed even if a single statement would time out, and rows that cannot be removed do not block others', async () => {
    const { pool, owner } = world;
    const rows = async (model: string): Promise<unknown> =>
      (await pool.query('SELECT count(*)::int AS n FROM oidc_model WHERE model = $1', [model])).rows[0];
    const add = async (model: string, count: number): Promise<void> => {
      await pool.query(
        `INSERT INTO oidc_model (model, id_hash, payload, expires_at)
           SELECT $1, sha256(($1 || n)::bytea), '{}', $2 FROM generate_series(1, $3) n`,
        [model, new Date(world.clock.nowMs() - 1000), count],
      );
    };
    // Takes one millisecond per row, so that removing all rows in one statement would exceed the timeout.
    // Some rows cannot be removed at all.
    await owner.query(`CREATE FUNCTION auth.slowly() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF old.model <> 'Interaction' THEN RAISE 'no'; END IF;
      PERFORM pg_sleep(0.001);
      RETURN old;
    END $$`);
    await owner.query(
      'CREATE TRIGGER slowly BEFORE DELETE ON auth.oidc_model FOR EACH ROW EXECUTE FUNCTION auth.slowly()',
    );
    await add('Interaction', 7000);
    await remove();
    expect(await rows('Interaction')).toEqual({ n: 0 });
    await add('PushedAuthorizationRequest', 1);
    await failures.password({ psuId: 'made up' }, false);
    world.later(25 * hour);
    await expect(remove()).rejects.toThrow('no');
    expect(await kept()).toEqual([]);
    await owner.query('DROP TRIGGER slowly ON auth.oidc_model');
    await remove();
    expect(await rows('PushedAuthorizationRequest')).toEqual({ n: 0 });
  }, 120_000);

  it('idempotency keys are removed after 24 hours even if no other key arrives', async () => {
    const key = { owner: 'tpp', key: newId(), path: '/register', hash: 'hash' };
    const nowMs = world.clock.nowMs();
    const keep = () => true;
    await executeIdempotently(
      world.pool,
      { key, nowMs, hashKeys: testHashKeys },
      keep,
      async () => 'registered',
    );
    const count = async (): Promise<unknown> => {
      await remove();
      return (await world.pool.query('SELECT count(*)::int AS n FROM idempotency_key')).rows[0];
    };
    world.later(24 * hour - 1);
    expect(await count()).toEqual({ n: 1 });
    world.later(1);
    expect(await count()).toEqual({ n: 0 });
  });

  it('sign-in failures are removed after a day for a PSU-ID that never signed in, and after 30 days for a customer', async () => {
    await failures.password({ psuId: 'made up' }, false);
    await failures.password({ psuId: 'customer' }, true);
    await failures.password({ psuId: 'customer' }, false);
    world.later(23 * hour);
    await remove();
    expect(await kept()).toEqual(['customer', 'made up']);
    world.later(2 * hour);
    await remove();
    expect(await kept()).toEqual(['customer']);
    world.later(30 * 24 * hour);
    await remove();
    expect(await kept()).toEqual([]);
  });

  it('the times of failures are removed after 30 days, also for a customer who chose a language', async () => {
    await failures.chooseLanguage('customer', 'en');
    await failures.password({ psuId: 'customer' }, false);
    world.later(30 * 24 * hour - 60);
    await remove();
    expect(await failures.times('customer')).toHaveLength(1);
    world.later(61);
    await remove();
    expect(await failures.times('customer')).toEqual([]);
  });

  it('the language chosen by a customer is removed 396 days after the last sign-in', async () => {
    await failures.chooseLanguage('customer', 'en');
    world.later(300 * 24 * hour);
    await failures.password({ psuId: 'customer' }, false);
    world.later(396 * 24 * hour - 60);
    await remove();
    expect(await failures.greeting('customer')).toEqual({ language: 'en' });
    world.later(60);
    await remove();
    expect(await kept()).toEqual([]);
  });

  it('the PSU-ID of a lifted lock is removed 396 days after the lock was lifted; who lifted it, when and why is kept', async () => {
    const unlocks = new ScaUnlocks(world.pool, world.clock, failures, world.logger);
    for (let count = 0; count < 5; count += 1) await failures.password({ psuId: 'customer' }, false);
    await unlocks.lift('customer', { operator: 'ivanova', reason: 'case 4711' });
    const records = async (): Promise<unknown[]> => {
      await remove();
      return (await world.pool.query('SELECT psu_id, operator, reason FROM sca_unlock')).rows;
    };
    world.later(396 * 24 * hour - 60);
    expect(await records()).toEqual([{ psu_id: 'customer', operator: 'ivanova', reason: 'case 4711' }]);
    world.later(61);
    expect(await records()).toEqual([{ psu_id: null, operator: 'ivanova', reason: 'case 4711' }]);
  });

  it('unknown PSU-IDs with sign-in failures are limited in number: the oldest are removed, but customers and locked PSU-IDs are kept', async () => {
    await failures.password({ psuId: 'customer' }, true);
    for (let count = 0; count < 5; count += 1) await failures.password({ psuId: 'locked' }, false);
    for (let at = 0; at < 6; at += 1) {
      world.later(1);
      await failures.password({ psuId: `made up ${at}` }, false);
    }
    await remove(3);
    expect(await kept()).toEqual(['customer', 'locked', 'made up 3', 'made up 4', 'made up 5']);
    world.later(hour);
    await remove(3);
    expect(await kept()).toEqual(['customer', 'made up 3', 'made up 4', 'made up 5']);
  });

  it('sign-in failures for an unknown PSU-ID are counted, and lock it, as for a customer', async () => {
    for (let count = 0; count < 5; count += 1) await failures.password({ psuId: 'made up' }, false);
    const { rows } = await world.pool.query('SELECT locked_until FROM psu_sca WHERE psu_id = $1', [
      hashed('made up'),
    ]);
    expect(rows[0]?.locked_until).toBeInstanceOf(Date);
  });
});
