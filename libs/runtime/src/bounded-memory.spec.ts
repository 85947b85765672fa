import { describe, expect, it } from '@jest/globals';
import { BoundedMemory } from './bounded-memory.js';

const hourMs = 3_600_000;
const memory = (nowMs?: () => number): BoundedMemory<number> =>
  new BoundedMemory({ maxBytes: 100_000, forMs: hourMs, nowMs });
const bytes = (length: number): Uint8Array => new Uint8Array(new ArrayBuffer(length));

describe('what is kept in memory', () => {
  it('stays within its bytes: what was asked for longest ago goes first', () => {
    const kept = memory();
    const keys = Array.from({ length: 20 }, (_none, n) => `account-${n}`);
    for (const [n, key] of keys.entries()) {
      kept.set(key, n, bytes(4976));
      kept.get('account-0');
    }
    // 6,000 bytes each with what is beside them: 16 of them are within the bound.
    expect(keys.filter((key) => kept.get(key) !== undefined)).toEqual(['account-0', ...keys.slice(5)]);
  });

  it('is replaced by what is newer, and its bytes counted once', () => {
    const kept = memory();
    for (let version = 1; version <= 1000; version += 1) kept.set('account', version, bytes(4976));
    kept.set('other', 1, bytes(4976));
    expect([kept.get('account'), kept.get('other')]).toEqual([1000, 1]);
  });

  it('holds nothing that would drive out many others, counted with the buffer that it is a part of', () => {
    const kept = memory();
    kept.set('large', 1, bytes(6000));
    kept.set('part', 1, bytes(8192).subarray(0, 10));
    expect([kept.get('large'), kept.get('part')]).toEqual([undefined, undefined]);
  });

  it('is forgotten when its time is over, however often it is asked for', () => {
    let nowMs = 0;
    const kept = memory(() => nowMs);
    kept.set('account', 1, bytes(10));
    for (; nowMs <= hourMs; nowMs += hourMs / 4) expect(kept.get('account')).toBe(1);
    expect(kept.get('account')).toBeUndefined();
  });
});
