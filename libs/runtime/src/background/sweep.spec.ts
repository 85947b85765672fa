import { describe, expect, it } from '@jest/globals';
import { callContext } from '@xs2a/calls/context';
import { createLogger } from '@xs2a/observability/logger';
import { Clock } from '../clock.js';
import { Sweep } from './sweep.js';

const logger = createLogger('test', 'silent');
const gate = (): { opened: Promise<void>; open: () => void } => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
};

describe('a sweep over due work', () => {
  it('continues until a run finds nothing to do', async () => {
    const found = [3, 2, 0];
    const sweep = new Sweep({
      name: 't',
      everyMs: 60_000,
      clock: new Clock(true),
      logger,
      run: async () => found.shift() ?? 0,
    });
    sweep.start();
    await sweep.drain();
    expect(found).toEqual([]);
    await sweep.stop();
  });

  it('never runs concurrently with itself, and runs once more if it is woken up during a run', async () => {
    let running = 0;
    let max = 0;
    let runs = 0;
    const first = gate();
    const sweep = new Sweep({
      name: 't',
      everyMs: 60_000,
      clock: new Clock(true),
      logger,
      run: async () => {
        running += 1;
        max = Math.max(max, running);
        runs += 1;
        if (runs === 1) await first.opened;
        running -= 1;
        return 0;
      },
    });
    sweep.start();
    sweep.wakeUp();
    sweep.wakeUp();
    first.open();
    await sweep.drain();
    expect(max).toBe(1);
    expect(runs).toBeGreaterThanOrEqual(2);
    await sweep.stop();
  });

  it('works outside the request that woke it up, whose id and deadline would otherwise stay with it', async () => {
    const contexts: unknown[] = [];
    const run = async (): Promise<number> => {
      contexts.push(callContext.getStore());
      return 0;
    };
    const sweep = new Sweep({ name: 't', everyMs: 60_000, clock: new Clock(true), logger, run });
    sweep.start();
    await callContext.run({ requestId: 'r-1', deadline: 0 }, async () => sweep.drain());
    expect(contexts.length).toBeGreaterThan(0);
    expect(contexts.filter((context) => context !== undefined)).toEqual([]);
    await sweep.stop();
  });

  it('runs when the clock moves', async () => {
    const clock = new Clock(true);
    const ran = gate();
    let armed = false;
    const sweep = new Sweep({
      name: 't',
      everyMs: 60_000,
      clock,
      logger,
      run: async () => {
        if (armed) ran.open();
        return 0;
      },
    });
    sweep.start();
    await sweep.drain();
    armed = true;
    clock.raiseTo(1000);
    await ran.opened;
    await sweep.stop();
    expect(armed).toBe(true);
  });

  it('passes the error of a run to the caller of drain, reports it, and recovers', async () => {
    const states: unknown[] = [];
    let broken = true;
    const sweep = new Sweep({
      name: 't',
      everyMs: 60_000,
      clock: new Clock(true),
      logger,
      run: async () => {
        if (broken) throw new Error('away');
        return 0;
      },
      onState: (error) => states.push(error === undefined),
    });
    sweep.start();
    await expect(sweep.drain()).rejects.toThrow('away');
    broken = false;
    await expect(sweep.drain()).resolves.toBe(0);
    expect(states.at(0)).toBe(false);
    expect(states.at(-1)).toBe(true);
    await sweep.stop();
  });
});
