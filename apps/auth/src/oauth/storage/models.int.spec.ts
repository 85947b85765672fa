import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Kvm } from '@nats-io/kv';
import { revocationBucket } from '@xs2a/contracts/auth.contract';
import { makeAssets } from '@xs2a/nats/jetstream-assets';
import { randomToken } from '@xs2a/runtime/ids';
import { errors } from 'oidc-provider';
import { type AuthWorld, newRevocations, startAuthWorld } from '../../testing/auth-world.js';
import { ModelAdapter } from './model-adapter.js';
import type { GrantRevocations } from '../grants/grant-revocations.js';
import { PushedRequestAdapter } from './pushed-request-adapter.js';
import { TokenTransactions } from './token-transaction.js';
import { isFirstUse } from './used-once.js';

let world: AuthWorld;
let database: TokenTransactions;
let revocations: GrantRevocations;
let codes: ModelAdapter;
let grants: ModelAdapter;
let pushed: PushedRequestAdapter;

beforeAll(async () => {
  world = await startAuthWorld();
  database = new TokenTransactions(world.pool);
  revocations = newRevocations(world);
  const parts = { database, revocations, clock: world.clock };
  codes = new ModelAdapter('AuthorizationCode', parts);
  grants = new ModelAdapter('Grant', parts);
  pushed = new PushedRequestAdapter(parts);
}, 60_000);
afterAll(async () => world.stop());

const revoke = async (grantId: string): Promise<void> => revocations.revoke(grantId);
const newCode = async (): Promise<{ readonly code: string; readonly grantId: string }> => {
  const [code, grantId] = [randomToken(), randomToken()];
  await grants.upsert(grantId, { jti: grantId, accountId: 'ivan' }, 3600);
  await codes.upsert(code, { jti: code, grantId, accountId: 'ivan' }, 60);
  return { code, grantId };
};

describe('stored models (architecture, "The edge")', () => {
  it('contain a hash instead of the handle, both in the key and in the payload', async () => {
    const { code } = await newCode();
    const { rows } = await world.pool.query<{ row: string }>(
      'SELECT oidc_model::text AS row FROM oidc_model',
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ row }) => row.includes(code))).toEqual([]);
    expect(await codes.find(code)).toMatchObject({ jti: code, accountId: 'ivan' });
    expect(await codes.find(`${code}x`)).toBeUndefined();
  });
});

describe('redemption (contract 4)', () => {
  it('succeeds exactly once in thirty concurrent attempts, and the reuse revokes the grant', async () => {
    const { code, grantId } = await newCode();
    const redeem = async (): Promise<boolean> => {
      let won = false;
      await database.run(async () => {
        try {
          await codes.consume(code);
          won = true;
        } catch (error) {
          if (!(error instanceof errors.InvalidGrant)) throw error;
        }
        return won;
      }, revoke);
      return won;
    };
    const outcomes = await Promise.all(Array.from({ length: 30 }, redeem));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    expect(await grants.find(grantId)).toBeUndefined();
    expect(await codes.find(code)).toBeUndefined();
  });

  it('leaves the code unused if no token was issued', async () => {
    const { code } = await newCode();
    await database.run(async () => {
      await codes.consume(code);
      return false;
    }, revoke);
    expect(await codes.find(code)).not.toHaveProperty('consumed');
  });

  it('keeps all changes of a request that issued tokens', async () => {
    const { code, grantId } = await newCode();
    await database.run(async () => {
      await codes.consume(code);
      return true;
    }, revoke);
    expect(await codes.find(code)).toHaveProperty('consumed');
    expect(await grants.find(grantId)).toBeDefined();
  });

  it('keeps no changes of a request that is aborted, and leaks no connection', async () => {
    const { code } = await newCode();
    const broken = database.run(async () => {
      await codes.consume(code);
      throw new Error('broken off');
    }, revoke);
    await expect(broken).rejects.toThrow('broken off');
    expect(await codes.find(code)).not.toHaveProperty('consumed');
    expect(world.pool.idleCount).toBe(world.pool.totalCount);
  });
});

describe('revocation of a grant', () => {
  it('survives the rollback of the request that detected the reuse, and reaches every gateway', async () => {
    const { code, grantId } = await newCode();
    await codes.consume(code);
    await database.run(async () => {
      await codes.consume(code).catch(() => undefined);
      return false;
    }, revoke);
    expect(await grants.find(grantId)).toBeUndefined();
    const entry = await (await new Kvm(world.nats).open(revocationBucket)).get(`grant.${grantId}`);
    expect(entry?.json()).toEqual({ expiresAt: expect.any(Number) });
  });

  it('is published again if the bucket is lost', async () => {
    const grantId = randomToken();
    await revocations.revoke(grantId);
    await (await new Kvm(world.nats).open(revocationBucket)).destroy();
    const later = newRevocations(world);
    await makeAssets(world.nats);
    const bucket = await new Kvm(world.nats).open(revocationBucket);
    const watch = await bucket.watch({ key: `grant.${grantId}` });
    later.start();
    for await (const entry of watch) if (entry.operation === 'PUT') break;
    later.stop();
    expect((await bucket.get(`grant.${grantId}`))?.json()).toHaveProperty('expiresAt');
  });

  it('is no longer published if the database was restored from a backup that does not contain it', async () => {
    const grantId = randomToken();
    await revocations.revoke(grantId);
    const bucket = await new Kvm(world.nats).open(revocationBucket);
    await world.pool.query('DELETE FROM revocation WHERE grant_id = $1', [grantId]);
    const watch = await bucket.watch({ key: `grant.${grantId}` });
    const started = newRevocations(world);
    started.start();
    for await (const { operation } of watch) if (operation === 'PURGE') break;
    started.stop();
  });

  it('is forgotten once every access token of the grant has expired', async () => {
    const grantId = randomToken();
    await revocations.revoke(grantId);
    world.later(400);
    await revocations.sweep();
    const { rows } = await world.pool.query('SELECT 1 FROM revocation WHERE grant_id = $1', [grantId]);
    expect(rows).toEqual([]);
    // Removing a key leaves a marker. The bucket drops markers within a day, so that they do not accumulate.
    const bucket = await new Kvm(world.nats).open(revocationBucket);
    expect((await bucket.get(`grant.${grantId}`))?.operation).toBe('PURGE');
    expect((await bucket.status()).ttl).toBe(24 * 60 * 60 * 1000);
  });
});

const soon = (): number => Math.floor(world.clock.nowMs() / 1000) + 60;
const wins = (outcomes: readonly boolean[]): number => outcomes.filter(Boolean).length;
const thirty = async <Value>(use: () => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: 30 }, use));

describe('client assertions and DPoP proofs (RFC 7523, RFC 9449)', () => {
  it('are accepted once, even in thirty concurrent uses, and are counted separately per client', async () => {
    const id = randomToken();
    expect(wins(await thirty(async () => isFirstUse(database, 'tpp', id, soon())))).toBe(1);
    expect(await isFirstUse(database, 'other', id, soon())).toBe(true);
  });

  it('count as used even if their request is refused (tested with an assertion)', async () => {
    const id = randomToken();
    await database.run(async () => {
      await isFirstUse(database, 'tpp', id, soon());
      return false;
    }, revoke);
    expect(await isFirstUse(database, 'tpp', id, soon())).toBe(false);
  });

  it('need no second connection during an exchange, so concurrent exchanges do not block each other', async () => {
    const free = world.pool.options.max ?? 0;
    const exchanges = Array.from({ length: free }, async () => {
      const { code } = await newCode();
      let first = false;
      await database.run(async () => {
        await codes.consume(code);
        first = await isFirstUse(database, 'tpp', code, soon());
        return true;
      }, revoke);
      return first;
    });
    expect(wins(await Promise.all(exchanges))).toBe(free);
  });
});

describe('pushed authorization requests (RFC 9126; contract 4)', () => {
  it('can be read until they are consumed; only one of thirty concurrent decisions consumes them', async () => {
    const id = randomToken();
    await pushed.upsert(id, { jti: id, request: 'x.y.' }, 60);
    for (const found of await thirty(async () => pushed.find(id)))
      expect(found).toEqual({ jti: id, request: 'x.y.' });
    const outcomes = await thirty(async () =>
      pushed.consume(id).then(
        () => true,
        (error: unknown) => {
          expect(error).toBeInstanceOf(errors.InvalidRequestUri);
          return false;
        },
      ),
    );
    expect(wins(outcomes)).toBe(1);
    expect(await pushed.find(id)).toHaveProperty('consumed');
  });
});
