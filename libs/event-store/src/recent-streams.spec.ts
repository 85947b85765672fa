import { describe, expect, it } from '@jest/globals';
import { RecentStreams } from './recent-streams.js';

const standing = (version: number) => ({ state: { version }, version, lastHash: Buffer.alloc(32, version) });

describe('streams that a process changed last', () => {
  it('are given out once, as they stood', () => {
    const recent = new RecentStreams<{ version: number }>(10);
    recent.remember('a', standing(1));
    recent.remember('a', standing(2));
    expect([...recent.take(['a', 'b'])]).toEqual([['a', standing(2)]]);
    expect([...recent.take(['a'])]).toEqual([]);
  });

  it('are so many at most: the one remembered longest ago goes', () => {
    const recent = new RecentStreams<{ version: number }>(2);
    for (const id of ['a', 'b', 'a', 'c']) recent.remember(id, standing(1));
    expect([...recent.take(['a', 'b', 'c']).keys()]).toEqual(['a', 'c']);
  });

  it('are believed for five seconds', () => {
    let now = 0;
    const recent = new RecentStreams<{ version: number }>(10, () => now);
    recent.remember('a', standing(1));
    recent.remember('b', standing(1));
    now = 4999;
    expect([...recent.take(['a']).keys()]).toEqual(['a']);
    now = 5000;
    expect([...recent.take(['b']).keys()]).toEqual([]);
  });
});
