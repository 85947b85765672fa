import { describe, expect, it } from '@jest/globals';
import { type Tokens, TokenSource } from './tokens.js';

/** A source whose tokens are valid for 300 s, with the number of renewals and a clock. */
const makeSource = (fails: readonly number[] = []) => {
  const seen = { nowMs: 0, renewals: 0, previous: [] as (string | undefined)[] };
  const source = new TokenSource(
    async (previous): Promise<Tokens> => {
      seen.renewals += 1;
      seen.previous.push(previous?.accessToken);
      await new Promise(setImmediate);
      if (fails.includes(seen.renewals)) throw new Error('no token');
      return { accessToken: `token ${seen.renewals}`, expiresAtMs: seen.nowMs + 300_000 };
    },
    () => seen.nowMs,
  );
  return { source, seen };
};

describe('an access token', () => {
  it('is obtained once for all that wait for it, and used until shortly before it expires', async () => {
    const { source, seen } = makeSource();
    const all = await Promise.all(Array.from({ length: 20 }, async () => source.accessToken()));
    expect(new Set(all)).toEqual(new Set(['token 1']));
    seen.nowMs = 289_000;
    expect(await source.accessToken()).toBe('token 1');
    seen.nowMs = 290_000;
    expect(await source.accessToken()).toBe('token 2');
    expect(seen.previous).toEqual([undefined, 'token 1']);
  });

  it('that the bank rejected is replaced once, although several requests report it', async () => {
    const { source, seen } = makeSource();
    const rejected = await source.accessToken();
    const all = await Promise.all([source.renew(rejected), source.renew(rejected)]);
    expect([...all, await source.renew(rejected), seen.renewals]).toEqual([
      'token 2',
      'token 2',
      'token 2',
      2,
    ]);
  });

  it('is requested again after a failure', async () => {
    const { source } = makeSource([1]);
    await expect(source.accessToken()).rejects.toThrow('no token');
    expect(await source.accessToken()).toBe('token 2');
  });
});
