import { describe, expect, it } from '@jest/globals';
import { findPosition, type StreamEvent } from './stream-position.js';

/** Creates a stream of events from pairs of sequence and position. */
const makeStream = (...pairs: readonly (readonly [sequence: number, pos: number])[]) => {
  const events = pairs.map(([sequence, pos]): StreamEvent => ({ sequence, pos, id: `event ${pos}` }));
  const last = events.at(-1) ?? { sequence: 0, pos: 0, id: '' };
  let reads = 0;
  return {
    reads: () => reads,
    find: async (pos: number): Promise<number | undefined> => {
      const found = await findPosition(pos, { first: events[0]?.sequence ?? 1, last }, async (sequence) => {
        reads += 1;
        return events.find((event) => event.sequence >= sequence);
      });
      return found?.pos;
    },
  };
};
const run = (length: number, sequence: number, pos: number): (readonly [number, number])[] =>
  Array.from({ length }, (_, index) => [sequence + index, pos + index] as const);

describe('the event at a position of a stream (architecture, Event store 3)', () => {
  it('is found with one read if positions and sequences increase in step', async () => {
    const stream = makeStream(...run(1000, 5001, 1));
    expect(await stream.find(700)).toBe(700);
    expect(stream.reads()).toBe(1);
  });

  it.each([
    ['before a gap', 40],
    ['behind a gap', 951],
    ['at the beginning', 11],
    ['at the end', 1050],
  ])('is found %s', async (_title, pos) => {
    const stream = makeStream(...run(50, 1, 11), ...run(60, 51, 900), ...run(100, 111, 960));
    expect(await stream.find(pos)).toBe(pos);
    expect(stream.reads()).toBeLessThan(10);
  });

  it('is the next one if the stream has no event at that position', async () => {
    const stream = makeStream(...run(50, 1, 11), ...run(100, 51, 900));
    expect([await stream.find(1), await stream.find(500), await stream.find(1000)]).toEqual([
      11,
      900,
      undefined,
    ]);
  });

  it('is found even if the stream lost messages in between, or lost its last messages but kept their sequences', async () => {
    const stream = makeStream(...run(50, 1, 1), ...run(50, 171, 51));
    for (const pos of [1, 50, 51, 75, 100]) expect(await stream.find(pos)).toBe(pos);
  });
});
