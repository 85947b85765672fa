import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type SignInParty, SignInPlaces, TooManySignIns } from './sign-in-places.js';

const settled = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type Named = Partial<SignInParty>;

/** Password checks that continue until the test ends them. */
const checks = (withinMs = 60_000) => {
  const places = new SignInPlaces();
  const running: { readonly tppId: string; end(): void }[] = [];
  let begun = 0;
  /** Starts a sign-in, with a party of its own unless one is given. */
  const begin = async ({ kind = 'approval', tppId = 'A', party }: Named): Promise<void> => {
    begun += 1;
    const one = { kind, tppId: kind === 'anonymous' ? 'nobody' : tppId, party: party ?? `party ${begun}` };
    return places.run(
      one,
      async () => new Promise<void>((end) => running.push({ tppId: one.tppId, end })),
      withinMs,
    );
  };
  const beginMany = async (times: number, named: Named): Promise<PromiseSettledResult<void>[]> =>
    Promise.allSettled(Array.from({ length: times }, () => begin(named)));
  /** Returns the number of running checks per TPP. */
  const taken = async (): Promise<Record<string, number>> => {
    await settled();
    return Object.fromEntries(
      [...Map.groupBy(running, ({ tppId }) => tppId)].map(([tppId, those]) => [tppId, those.length]),
    );
  };
  const endOne = async (tppId: string): Promise<void> => {
    const at = running.findIndex((check) => check.tppId === tppId);
    running.splice(at, 1)[0]?.end();
    await settled();
  };
  return { begin, beginMany, taken, endOne };
};
const strangers: Named = { kind: 'anonymous' };

// Sign-ins time out only in tests that advance the time.
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('sign-in slots, shared fairly between the TPPs', () => {
  it('are at most half used by 48 sign-ins for one TPP, so a customer of another TPP gets one', async () => {
    const { beginMany, taken } = checks();
    void beginMany(48, { tppId: 'A' });
    expect(await taken()).toEqual({ A: 4 });
    void beginMany(1, { tppId: 'B' });
    expect(await taken()).toEqual({ A: 4, B: 1 });
  });

  it.each([1, 2, 3, 4, 5, 6, 7])(
    'are available to a customer of another TPP after at most one check per TPP, even if %s TPPs compete for all of them',
    async (others) => {
      const { beginMany, taken, endOne } = checks();
      for (let at = 0; at < others; at += 1) void beginMany(100, { tppId: `flood ${at}` });
      void beginMany(100, strangers);
      let isRefused = false;
      void beginMany(1, { tppId: 'B' }).then(([one]) => (isRefused = one?.status === 'rejected'));
      for (let ended = 0; ended < Math.max(1, others - 3); ended += 1) {
        const now = await taken();
        const [most = ''] = Object.keys(now).sort((a, b) => (now[b] ?? 0) - (now[a] ?? 0));
        if (now['B'] === undefined) await endOne(most);
      }
      expect([isRefused, (await taken())['B']]).toEqual([false, 1]);
      expect(Object.values(await taken()).reduce((sum, one) => sum + one)).toBeLessThanOrEqual(8);
    },
  );

  it('are given last to strangers with nothing to approve, who count as one TPP', async () => {
    const { beginMany, taken, endOne } = checks();
    void beginMany(20, strangers);
    expect(await taken()).toEqual({ nobody: 4 });
    void beginMany(20, { tppId: 'A' });
    expect(await taken()).toEqual({ nobody: 4, A: 2 });
    void beginMany(1, { tppId: 'B' });
    await endOne('nobody');
    expect(await taken()).toEqual({ nobody: 3, A: 2, B: 1 });
    await endOne('nobody');
    expect(await taken()).toEqual({ nobody: 2, A: 3, B: 1 });
  });
});

describe('sign-in slots, shared fairly between the debtor accounts', () => {
  it('are limited to three for payments of one debtor account, across all TPPs', async () => {
    const { beginMany, taken } = checks();
    for (const tppId of ['A', 'B', 'C', 'D']) void beginMany(20, { tppId, party: 'one account' });
    expect(await taken()).toEqual({ A: 3 });
    void beginMany(1, { tppId: 'A' });
    expect(await taken()).toEqual({ A: 4 });
    void beginMany(1, { tppId: 'E' });
    expect(await taken()).toEqual({ A: 4, E: 1 });
  });

  it('go first to the account with the fewest slots, among sign-ins for one TPP', async () => {
    const { begin, beginMany, taken, endOne } = checks();
    void beginMany(20, { party: 'flood' });
    void beginMany(1, {});
    expect(await taken()).toEqual({ A: 4 });
    let isFirst = false;
    void beginMany(20, { party: 'flood' });
    void begin({ party: 'customer' }).then(() => (isFirst = true));
    for (let ended = 0; ended < 5; ended += 1) await endOne('A');
    expect(isFirst).toBe(true);
  });

  it('are refused, when the queue is full, to the latest sign-in of the account that fills it', async () => {
    const { beginMany, taken } = checks();
    const flood = beginMany(120, { party: 'flood' });
    let refused = 0;
    void beginMany(1, {});
    void beginMany(1, { party: 'customer' }).then(([one]) => (refused = one?.status === 'rejected' ? 1 : 0));
    await taken();
    expect(refused).toBe(0);
    void flood;
  });
});

describe('a sign-in that finds no free slot or has a slow password check', () => {
  it('is rejected immediately if too many sign-ins are waiting, without affecting any other sign-in', async () => {
    const { beginMany, taken, endOne } = checks();
    const outcomes = beginMany(100, strangers);
    const approved = beginMany(2, {});
    expect(await taken()).toEqual({ nobody: 4, A: 2 });
    for (let at = 0; at < 68; at += 1) await endOne('nobody');
    for (let at = 0; at < 2; at += 1) await endOne('A');
    const refused = (await outcomes).filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(32);
    expect(refused.every(({ reason }) => reason instanceof TooManySignIns)).toBe(true);
    expect((await approved).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  });

  it('is rejected when it times out, but keeps its slot until its check has ended', async () => {
    const { beginMany, taken, endOne } = checks(2500);
    const outcomes = beginMany(10, strangers);
    expect(await taken()).toEqual({ nobody: 4 });
    jest.advanceTimersByTime(2500);
    expect((await outcomes).map(({ status }) => status)).toEqual(Array(10).fill('rejected'));
    void beginMany(1, strangers);
    expect(await taken()).toEqual({ nobody: 4 });
    await endOne('nobody');
    expect(await taken()).toEqual({ nobody: 4 });
  });

  it('releases its slot if its check fails', async () => {
    const places = new SignInPlaces();
    const fail = async (at: number): Promise<void> =>
      places.run(
        { kind: 'approval', tppId: 'A', party: String(at) },
        () => Promise.reject(new Error('the bank is down')),
        60_000,
      );
    for (let at = 0; at < 20; at += 1) await expect(fail(at)).rejects.toThrow('the bank is down');
    const stranger: SignInParty = { kind: 'anonymous', tppId: '', party: 'psu' };
    expect(await places.run(stranger, async () => 'checked', 60_000)).toBe('checked');
  });
});
