import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LeaderWatch } from './leader-watch.js';

let now = 0;
beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => void jest.restoreAllMocks());

describe('the leader watch', () => {
  it('reports a missing leader after 20 s, but nothing while this instance leads or has recently seen another leader', async () => {
    const watch = new LeaderWatch('no active settlement worker');
    now += 19_000;
    expect(watch.degraded()).toBeUndefined();
    now += 2000;
    expect(watch.degraded()).toBe('no active settlement worker');
    watch.seen();
    expect(watch.degraded()).toBeUndefined();
    now += 19_000;
    await watch.while(async () => {
      now += 60_000;
      expect(watch.degraded()).toBeUndefined();
    });
    expect(watch.degraded()).toBeUndefined();
    now += 21_000;
    expect(watch.degraded()).toBe('no active settlement worker');
  });
});
