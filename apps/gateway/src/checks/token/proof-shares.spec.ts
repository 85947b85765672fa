import { describe, expect, it } from '@jest/globals';
import { ProofShares } from './proof-shares.js';

const keepMs = 150_000;
/** A store with room for `max` proofs, each kept for `keepMs`, with the shares in front of it. */
const makeStore = (max: number) => {
  const shares = new ProofShares(keepMs, 5);
  let held: number[] = [];
  return {
    /** Returns true if the proof was stored. Throws if the store itself is full. */
    offer: (tppId: string, nowMs: number): boolean => {
      held = held.filter((at) => nowMs - at < keepMs);
      if (!shares.admits(tppId, held.length / max, nowMs)) return false;
      if (held.length >= max) throw new Error('full');
      held.push(nowMs);
      shares.kept(tppId);
      return true;
    },
  };
};

describe('per-TPP quotas in the used-proof store (RFC 9449; overload sheds the flooder first; quality, Reliability)', () => {
  it('limit a single flooding TPP and never reject another TPP', () => {
    const store = makeStore(1000);
    let kept = 0;
    let refusedOthers = 0;
    for (let at = 0; at < 400_000; at += 10) {
      if (store.offer('flooder', at)) kept += 1;
      if (at % 1000 === 0 && !store.offer('other', at)) refusedOthers += 1;
    }
    expect(refusedOthers).toBe(0);
    expect(kept).toBeGreaterThan(500);
    expect(kept).toBeLessThan(3000);
  });

  it('divide the store between several flooding TPPs, and still leave room for a new one', () => {
    const store = makeStore(1000);
    const flooders = ['a', 'b', 'c', 'd'];
    for (let at = 0; at < 140_000; at += 20) for (const one of flooders) store.offer(one, at);
    for (let at = 140_000; at < 149_000; at += 300) expect([at, store.offer('new', at)]).toEqual([at, true]);
  });

  it('no longer limit a TPP whose flood has ended', () => {
    const store = makeStore(100);
    for (let at = 0; at < 1000; at += 1) store.offer('flooder', at);
    expect(store.offer('flooder', 1000)).toBe(false);
    expect(store.offer('flooder', 2 * keepMs + 1000)).toBe(true);
  });

  it('let a TPP store some proofs through a newly started gateway even if other gateways have almost filled the store', () => {
    const shares = new ProofShares(keepMs, 5);
    for (let count = 0; count < 5; count += 1) {
      expect(shares.admits('only', 0.9, 1)).toBe(true);
      shares.kept('only');
    }
    expect(shares.admits('only', 0.9, 1)).toBe(false);
  });

  it('limit no TPP while the store is less than half full', () => {
    const shares = new ProofShares(keepMs, 5);
    for (let count = 0; count < 10_000; count += 1) shares.kept('only');
    expect([shares.admits('only', 0.49, 1), shares.admits('only', 0.5, 1)]).toEqual([true, false]);
  });
});
