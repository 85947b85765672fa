import { describe, expect, it } from '@jest/globals';
import { soleTurn, turns } from './batch-turns.js';

/** What of the promises has resolved by now, by name. */
const resolvedOf = async (promises: Readonly<Record<string, Promise<unknown>>>): Promise<string[]> => {
  const names: string[] = [];
  for (const [name, promise] of Object.entries(promises)) void promise.then(() => names.push(name));
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  return names.sort();
};

describe('batches at the same time', () => {
  it('take their rows one after the other, as long as there may be more', async () => {
    const [first, second, third] = turns(3);
    await expect(first?.mayClaim).resolves.toBe(true);
    expect(await resolvedOf({ second: second!.mayClaim })).toEqual([]);
    first?.claimed(true);
    await expect(second?.mayClaim).resolves.toBe(true);
    second?.claimed(false);
    await expect(third?.mayClaim).resolves.toBe(false);
  });

  it('ask for their holds in order, also when one in the middle has none', async () => {
    const [first, second, third] = turns(3);
    second?.held();
    expect(await resolvedOf({ second: second!.mayHold, third: third!.mayHold })).toEqual([]);
    first?.held();
    expect(await resolvedOf({ second: second!.mayHold, third: third!.mayHold })).toEqual(['second', 'third']);
  });

  it('know when all before them have ended, and one that ends holds up nobody', async () => {
    const [first, second, third] = turns(3);
    second?.ended();
    expect(await resolvedOf({ third: third!.earlierEnded })).toEqual([]);
    first?.ended();
    expect(await resolvedOf({ hold: third!.mayHold, end: third!.earlierEnded })).toEqual(['end', 'hold']);
    await expect(third?.mayClaim).resolves.toBe(false);
  });

  it('wait for nobody when they are alone', async () => {
    const turn = soleTurn();
    expect(turn.first).toBe(true);
    expect(
      await resolvedOf({ claim: turn.mayClaim, hold: turn.mayHold, end: turn.earlierEnded }),
    ).toHaveLength(3);
  });
});
