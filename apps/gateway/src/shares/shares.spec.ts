import { describe, expect, it } from '@jest/globals';
import { LargeBodies } from './large-bodies.js';
import { RequestShare } from './request-share.js';
import { Shares } from './shares.js';

const max = { requests: 3, bytes: 1000 };

describe('client shares (contract 3)', () => {
  it('allow each client a number of requests and bytes, independent of other clients', () => {
    const shares = new Shares(max);
    const held = [0, 900, 0].map((bytes) => shares.take('a', bytes));
    expect(held.every((one) => one !== undefined)).toBe(true);
    expect(shares.take('a', 0)).toBeUndefined();
    expect(shares.take('b', 900)).toBeDefined();
    expect(shares.take('b', 101)).toBeUndefined();
    expect(shares.take('b', 100)).toBeDefined();
  });

  it('are released only once, and are removed when nothing is in progress', () => {
    const shares = new Shares(max);
    const [first, second] = [shares.take('a', 600), shares.take('a', 400)];
    first?.release();
    first?.release();
    expect(shares.take('a', 601)).toBeUndefined();
    shares.take('a', 600)?.release();
    second?.release();
    expect(shares.size).toBe(0);
  });

  it('never reject the only request of a client, however large it is', () => {
    const shares = new Shares(max);
    expect(shares.take('a', 5000)).toBeDefined();
    expect(shares.take('a', 0)).toBeUndefined();
  });
});

describe('the share of a request', () => {
  const request = (shares: { tpps: Shares; addresses: Shares }, address?: string): RequestShare =>
    new RequestShare(shares.tpps, shares.addresses, { address, bytes: 10 });
  const both = (): { tpps: Shares; addresses: Shares } => ({
    tpps: new Shares(max),
    addresses: new Shares(max),
  });

  it('belongs to the address until a token is verified, and then to the TPP', () => {
    const shares = both();
    for (let count = 0; count < 3; count += 1)
      expect(request(shares, '203.0.113.1').moveTo('tpp')).toBe(true);
    expect(shares.addresses.size).toBe(0);
    const fourth = request(shares, '203.0.113.1');
    expect([fourth.isExceeded, fourth.moveTo('tpp')]).toEqual([false, false]);
    expect(shares.addresses.size).toBe(1);
    fourth.close();
    expect(shares.addresses.size).toBe(0);
  });

  it('is released only once the connection is closed and no work remains, in either order', () => {
    const shares = both();
    const [hungUp, answered] = [request(shares, 'a'), request(shares, 'b')];
    hungUp.beginWork();
    hungUp.close();
    expect(shares.addresses.size).toBe(2);
    hungUp.endWork();
    expect(shares.addresses.size).toBe(1);
    answered.beginWork();
    answered.endWork();
    expect(shares.addresses.size).toBe(1);
    answered.close();
    expect(shares.addresses.size).toBe(0);
  });

  it('is released if the client disconnects while its token is being verified', () => {
    const shares = both();
    const hungUp = request(shares, 'a');
    hungUp.close();
    expect(hungUp.moveTo('tpp')).toBe(true);
    expect([shares.tpps.size, shares.addresses.size]).toEqual([0, 0]);
  });

  it('is shared by all clients of a proxy that does not name them, and is then eight times as large', () => {
    const shares = both();
    const exceeded = Array.from({ length: 26 }, () => request(shares)).map(({ isExceeded }) => isExceeded);
    expect(exceeded.indexOf(true)).toBe(24);
  });
});

describe('the large bodies of a TPP', () => {
  const large = 100_000;
  const started = (): {
    work: (name: string) => () => Promise<void>;
    order: string[];
    end: (() => void)[];
  } => {
    const [order, end]: [string[], (() => void)[]] = [[], []];
    const work = (name: string) => async (): Promise<void> => {
      order.push(name);
      await new Promise<void>((resolve) => end.push(resolve));
    };
    return { work, order, end };
  };
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };

  it('are processed two at a time, in order, while small bodies and other TPPs do not wait', async () => {
    const bodies = new LargeBodies();
    const { work, order, end } = started();
    const all = ['1', '2', '3', '4'].map(async (name) => bodies.inTurn('a', large, work(name)));
    all.push(bodies.inTurn('a', 1000, work('small')), bodies.inTurn('b', large, work('other')));
    await settle();
    expect(order).toEqual(['small', '1', '2', 'other']);
    end[1]?.();
    await settle();
    expect(order.slice(4)).toEqual(['3']);
    while (order.length < 6) {
      for (const one of end) one();
      await settle();
    }
    for (const one of end) one();
    await Promise.all(all);
  });

  it('are still processed after one of them has failed', async () => {
    const bodies = new LargeBodies();
    const failing = Array.from({ length: 5 }, async () =>
      bodies.inTurn('a', large, async () => {
        throw new Error('failed');
      }),
    );
    const outcomes = await Promise.allSettled([...failing, bodies.inTurn('a', large, async () => 'done')]);
    expect(outcomes.at(-1)).toEqual({ status: 'fulfilled', value: 'done' });
  });
});
