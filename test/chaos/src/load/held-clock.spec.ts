import { describe, expect, it } from '@jest/globals';
import { HeldClock } from './held-clock.js';

describe('the sandbox clock in a fault run', () => {
  it('does not move while it is held, and moves once the last holder releases it', async () => {
    const clock = new HeldClock();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const seen: string[] = [];
    const holding = [
      clock.hold(async () => first.promise.then(() => seen.push('first'))),
      clock.hold(async () => second.promise.then(() => seen.push('second'))),
    ];
    const moving = clock.move(async () => seen.push('moved'));
    first.resolve();
    await holding[0];
    expect([seen, clock.isHeld]).toEqual([['first'], true]);
    second.resolve();
    await moving;
    expect([seen, clock.isHeld]).toEqual([['first', 'second', 'moved'], false]);
  });

  it('is held only after all moves in progress have finished, including a failing one', async () => {
    const clock = new HeldClock();
    const move = Promise.withResolvers<void>();
    const seen: string[] = [];
    const moving = clock.move(async () => {
      await move.promise;
      seen.push('moved');
      throw new Error('no answer');
    });
    const holding = clock.hold(async () => seen.push('held'));
    move.resolve();
    await expect(moving).rejects.toThrow('no answer');
    await holding;
    expect(seen).toEqual(['moved', 'held']);
  });
});
