import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '@xs2a/runtime/clock';
import { randomToken } from '@xs2a/runtime/ids';
import { errors } from 'oidc-provider';
import { type AuthWorld, newRevocations, startAuthWorld } from '../../testing/auth-world.js';
import type { GrantRevocations } from '../grants/grant-revocations.js';
import { ModelAdapter } from './model-adapter.js';
import { RefreshTokenAdapter } from './refresh-token-adapter.js';
import { TokenTransactions } from './token-transaction.js';

/** One instance of the service; all instances share the database. */
interface Instance {
  readonly database: TokenTransactions;
  readonly tokens: RefreshTokenAdapter;
  readonly grants: ModelAdapter;
}

let world: AuthWorld;
/** Advances only when the test moves it, so that seconds are exact. */
let clock: Clock;
let revocations: GrantRevocations;
let isAuthenticated = true;
let one: Instance;
let other: Instance;

beforeAll(async () => {
  world = await startAuthWorld();
  const startMs = Date.now();
  clock = new Clock(true, () => startMs);
  revocations = newRevocations({ ...world, clock });
  one = newInstance();
  other = newInstance();
}, 60_000);
afterAll(async () => world.stop());

const newInstance = (): Instance => {
  const database = new TokenTransactions(world.pool);
  const parts = { database, revocations, clock };
  return {
    database,
    tokens: new RefreshTokenAdapter({ ...parts, isAuthenticated: () => isAuthenticated }),
    grants: new ModelAdapter('Grant', parts),
  };
};
const later = (ms: number): void => clock.raiseTo(clock.offsetMs + ms);
const newToken = async (bound: { readonly jkt?: string } = {}) => {
  const [token, grantId] = [randomToken(), randomToken()];
  await one.grants.upsert(grantId, { jti: grantId, accountId: 'ivan' }, 3600);
  await one.tokens.upsert(token, { jti: token, grantId, accountId: 'ivan', ...bound }, 3600);
  return { token, grantId };
};
/** Makes a token request to an instance, as the provider does. Returns whether tokens were issued. */
const redeem = async ({ database, tokens }: Instance, token: string, isIssued = true): Promise<boolean> => {
  let issued = false;
  await database.run(
    async () => {
      const found = await tokens.find(token);
      if (found === undefined || 'consumed' in found) {
        if (found?.grantId !== undefined) await tokens.revokeByGrantId(found.grantId);
        return false;
      }
      try {
        await tokens.consume(token);
        issued = isIssued;
      } catch (error) {
        if (!(error instanceof errors.InvalidGrant)) throw error;
      }
      return issued;
    },
    async (grantId) => revocations.revoke(grantId),
  );
  return issued;
};

describe('a refresh token that is sent repeatedly (contract 4)', () => {
  it('is accepted until exactly 60 seconds after its first use, at every instance; one millisecond later, its use revokes the grant', async () => {
    const { token, grantId } = await newToken();
    expect(await redeem(one, token)).toBe(true);
    later(30_000);
    expect(await redeem(other, token)).toBe(true);
    later(30_000);
    expect([await redeem(one, token), await redeem(other, token)]).toEqual([true, true]);
    expect(await one.grants.find(grantId)).toBeDefined();
    later(1);
    expect(await redeem(other, token)).toBe(false);
    expect(await one.grants.find(grantId)).toBeUndefined();
  });

  it('is accepted in 20 concurrent requests at two instances, and its row keeps the time of the first use', async () => {
    const { token, grantId } = await newToken();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => redeem(index % 2 === 0 ? one : other, token)),
    );
    expect(outcomes).toEqual(Array.from({ length: 20 }, () => true));
    const firstUse = clock.now();
    later(45_000);
    await redeem(one, token);
    const { rows } = await world.pool.query<{ consumed_at: Date }>(
      `SELECT consumed_at FROM oidc_model WHERE model = 'RefreshToken' AND grant_id = $1`,
      [grantId],
    );
    expect(rows.map(({ consumed_at: usedAt }) => usedAt.toISOString())).toEqual([firstUse]);
  });

  it('does not count as used if the request issued no tokens, so the 60 seconds have not begun', async () => {
    const { token } = await newToken();
    expect(await redeem(one, token, false)).toBe(false);
    later(61_000);
    expect(await redeem(other, token)).toBe(true);
  });

  it('is invalid if its grant was revoked after the token was read', async () => {
    const { token, grantId } = await newToken();
    expect(await redeem(one, token)).toBe(true);
    await revocations.revoke(grantId);
    await expect(other.tokens.consume(token)).rejects.toThrow(errors.InvalidGrant);
  });

  it('is accepted only once in 20 requests by a public client without a key, but every time by one with a key', async () => {
    isAuthenticated = false;
    const [bare, bound] = [await newToken(), await newToken({ jkt: 'thumbprint' })];
    const race = async (token: string): Promise<number> => {
      const outcomes = await Promise.all(Array.from({ length: 20 }, async () => redeem(one, token)));
      return outcomes.filter(Boolean).length;
    };
    expect([await race(bare.token), await race(bound.token)]).toEqual([1, 20]);
    expect(await one.grants.find(bare.grantId)).toBeUndefined();
    expect(await one.grants.find(bound.grantId)).toBeDefined();
    isAuthenticated = true;
  });
});

describe('a grant with very many refresh tokens (contract 4)', () => {
  const fill = async (grantId: string, rows: number): Promise<void> => {
    await world.pool.query(
      `INSERT INTO oidc_model (model, id_hash, grant_id, payload, expires_at)
       SELECT 'RefreshToken', sha256(($1 || n)::bytea), $1, '{}', $3 FROM generate_series(1, $2::int) n`,
      [grantId, rows, new Date(clock.nowMs() + 3_600_000)],
    );
  };
  const countTokens = async (grantId: string): Promise<number> => {
    const text = 'SELECT count(*)::int AS number FROM oidc_model WHERE grant_id = $1';
    return (await world.pool.query<{ number: number }>(text, [grantId])).rows[0]?.number ?? 0;
  };

  it('is revoked immediately, even while one of its tokens is being redeemed; the sweep removes the tokens that are left', async () => {
    const { token, grantId } = await newToken();
    await fill(grantId, 3000);
    await one.database.run(
      async () => {
        await one.tokens.consume(token);
        await revocations.revoke(grantId);
        expect(await other.grants.find(grantId)).toBeUndefined();
        return true;
      },
      async () => undefined,
    );
    expect(await countTokens(grantId)).toBe(2001);
    await revocations.sweep();
    expect(await countTokens(grantId)).toBe(0);
  });
});
