import { describe, expect, it } from '@jest/globals';
import { describeFault, faultKinds, scheduleOf } from './schedule.js';

describe('schedule of faults (quality: reliability)', () => {
  it('is the same for the same seed, another for another, and longer without changing its beginning', () => {
    const short = scheduleOf(7, 30);
    expect(scheduleOf(7, 30)).toEqual(short);
    expect(scheduleOf(7, 120).slice(0, short.length)).toEqual(short);
    expect(scheduleOf(8, 30)).not.toEqual(short);
  });

  it('has every kind of fault within a minute and a half, whatever the seed', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const kinds = new Set(scheduleOf(seed, 90).map(({ fault }) => fault.kind));
      expect([...kinds].sort()).toEqual([...faultKinds].sort());
    }
  });

  it('tells a fault in words', () => {
    expect(describeFault({ kind: 'kill', victim: 'postgres' })).toBe('kill postgres');
    expect(describeFault({ kind: 'twin', service: 'payments', seconds: 2, end: 'SIGKILL' })).toBe(
      'twin payments 2 SIGKILL',
    );
  });
});
