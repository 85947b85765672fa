import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ledgerViolations } from '@xs2a/core-banking/sandbox/ledger/ledger-invariants';
import { outside } from './testing/outside.js';
import { type SettlementWorld, startSettlementWorld } from './testing/settlement-world.js';

let world: SettlementWorld;
beforeAll(async () => {
  world = await startSettlementWorld();
}, 30_000);
afterEach(() => {
  outside.interfere = async () => undefined;
});
afterAll(async () => world.stop(), 30_000);

/** Signs `count` payments, one at a time; returns their ids. */
const signed = async (count: number, from: string): Promise<string[]> => {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await world.signed({ from, minor: 100 }));
  return ids;
};
/** Reads one at a time: hundreds at once would wait longer for a connection than a service may. */
const readFunds = async (ids: readonly string[]) => {
  const found = [];
  for (const id of ids) found.push((await world.state(id)).fundsAvailable);
  return found;
};

describe('concurrent settlement in batches of 100 (architecture, Settlement)', () => {
  it('decides as if payments were processed sequentially, using calls for up to 100 payments', async () => {
    const sizes: number[] = [];
    // A call that is not answered in time is made again.
    const asked = new Set<string>();
    outside.interfere = async (step, moment, ids) => {
      if (step !== 'hold' || moment !== 'before') return;
      sizes.push(ids.length);
      for (const id of ids) asked.add(id);
    };
    const [rich, poor] = [await world.account(1_000_000), await world.account(0)];
    const fromPoor = async (minor: number): Promise<string> => world.signed({ from: poor, minor });
    const rest = await signed(99, rich);
    // The last payment of the first batch provides the money that the next two batches need.
    rest.push(await world.signed({ from: rich, minor: 5000, to: poor }));
    const second = [await fromPoor(3000), await fromPoor(3000)];
    rest.push(...(await signed(98, rich)));
    const third = [await fromPoor(2000), await fromPoor(1)];
    rest.push(...(await signed(20, rich)));
    await world.later(61);
    expect(Math.max(...sizes)).toBe(100);
    expect(asked.size).toBe(222);
    expect(await readFunds(second)).toEqual([true, false]);
    expect(await readFunds(third)).toEqual([true, false]);
    expect(new Set(await readFunds(rest))).toEqual(new Set([true]));
    expect(await ledgerViolations(world.bank.pool)).toEqual([]);
  }, 30_000);

  it('does the same for a batch that starts when another has ended', async () => {
    const [rich, poor] = [await world.account(1_000_000), await world.account(0)];
    const rest = await signed(399, rich);
    // The last payment of the fourth batch; four batches run concurrently.
    rest.push(await world.signed({ from: rich, minor: 5000, to: poor }));
    const fifth = [
      await world.signed({ from: poor, minor: 3000 }),
      await world.signed({ from: poor, minor: 3000 }),
      await world.signed({ from: poor, minor: 2000 }),
    ];
    rest.push(...(await signed(20, rich)));
    await world.later(61);
    expect(await readFunds(fifth)).toEqual([true, false, true]);
    expect(new Set(await readFunds(rest))).toEqual(new Set([true]));
    expect(await ledgerViolations(world.bank.pool)).toEqual([]);
  }, 60_000);
});
