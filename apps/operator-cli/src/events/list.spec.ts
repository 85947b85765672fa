import { describe, expect, it } from '@jest/globals';
import { eventsText, firstReached } from './list.js';

const event = {
  pos: 7,
  time: '2026-01-31T10:00:00.000Z',
  type: 'signed',
  paymentId: '01890a5d-ac96-774b-bcce-b302099a8057',
  tppId: 'tpp-1',
};

describe('the start of a period, found by binary search', () => {
  it.each([0, 1, 2, 7, 1000])(
    'is the first position not earlier than the period, among %d positions',
    async (last) => {
      for (const first of [1, 2, Math.ceil(last / 2), last, last + 1].filter(
        (pos) => pos >= 1 && pos <= last + 1,
      )) {
        let asked = 0;
        const found = await firstReached(last, async (pos) => {
          asked += 1;
          return { pos, reached: pos >= first };
        });
        expect(found).toBe(first);
        expect(asked).toBeLessThanOrEqual(Math.ceil(Math.log2(last + 1)));
      }
    },
  );

  it('is found even if there are positions without a row', async () => {
    const positions = [2, 3, 50, 90];
    const found = await firstReached(100, async (from) => {
      const pos = positions.find((one) => one >= from);
      return pos === undefined ? undefined : { pos, reached: pos >= 50 };
    });
    expect(found).toBeGreaterThan(3);
    expect(found).toBeLessThanOrEqual(50);
  });
});

describe('a list of events', () => {
  it('has one line per event, and no further text if there is nothing to report', () => {
    expect(eventsText({ events: [event], stoppedAt: null })).toBe(
      [
        'position  time                      event   payment                               tpp',
        '       7  2026-01-31T10:00:00.000Z  signed  01890a5d-ac96-774b-bcce-b302099a8057  tpp-1',
      ].join('\n'),
    );
  });

  it('states that it is empty, and names the command that lists the TPPs', () => {
    const none = { events: [], stoppedAt: null };
    expect(eventsText(none)).toBe('No event of a payment matches.');
    expect(eventsText(none, { tpp: 'x' })).toBe(
      'No event of a payment matches. To list the TPPs: xs2a tpp list',
    );
  });

  it('states where the search stopped and how to continue from there', () => {
    const stoppedAt = { pos: 4, time: '2026-01-31T09:59:59.999Z' };
    expect(
      eventsText({ events: [event], stoppedAt })
        .split('\n')
        .slice(2),
    ).toEqual([
      'Position 4 and earlier ones were not searched. To continue there: --until 2026-01-31T10:00:00.000Z',
    ]);
  });
});
