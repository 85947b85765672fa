import { describe, expect, it } from '@jest/globals';
import { TokenBuckets } from './token-buckets.js';

const size = { burst: 20, perSecond: 2 };
const bucketsAt = (): { buckets: TokenBuckets; later(ms: number): void } => {
  let now = 1_000_000;
  return {
    buckets: new TokenBuckets({ nowMs: () => now }),
    later: (ms) => {
      now += ms;
    },
  };
};
const passed = (buckets: TokenBuckets, client: string, times: number): number =>
  Array.from({ length: times }, () => buckets.take(client, size)).filter((wait) => wait === undefined).length;

describe('token buckets', () => {
  it('admit a burst and then a fixed number of requests per second, and never more than a burst at once', () => {
    const { buckets, later } = bucketsAt();
    expect(passed(buckets, 'a', 50)).toBe(20);
    later(2500);
    expect(passed(buckets, 'a', 50)).toBe(5);
    later(3_600_000);
    expect(passed(buckets, 'a', 50)).toBe(20);
  });

  it('report when several steps will be possible again, and admit them after that time', () => {
    const { buckets, later } = bucketsAt();
    passed(buckets, 'a', 20);
    const wait = buckets.take('a', size);
    expect(wait).toBe(5);
    later((wait ?? 0) * 1000);
    expect(passed(buckets, 'a', 50)).toBe(10);
  });

  it('are separate for each client', () => {
    const { buckets } = bucketsAt();
    passed(buckets, 'a', 50);
    expect(passed(buckets, 'b', 50)).toBe(20);
  });

  it('are limited in number, so that a new client replaces the one that has been inactive longest, and active ones are kept', () => {
    const { buckets } = bucketsAt();
    passed(buckets, 'busy', 20);
    for (let at = 0; at < 30_000; at += 1) {
      buckets.take(`client ${at}`, size);
      if (at % 1000 === 0) expect(passed(buckets, 'busy', 1)).toBe(0);
    }
    expect(passed(buckets, 'client 29999', 50)).toBe(19);
    expect(passed(buckets, 'client 0', 50)).toBe(20);
  });

  it('treat a clock that was set back as if it had stopped', () => {
    const { buckets, later } = bucketsAt();
    passed(buckets, 'a', 20);
    later(-60_000);
    expect(passed(buckets, 'a', 1)).toBe(0);
  });
});
