import { describe, expect, it } from '@jest/globals';
import { levToEuro } from '@xs2a/domain/money/lev-conversion';
import * as fc from 'fast-check';
import { countMonths, plausibleHistory } from '../plausible-history.js';
import { splitAtConversion } from './lev-past.js';

const levEnd = '2026-01-01';
const kinds = ['person', 'corporate', 'savings'] as const;
const makeHistory = (kind: (typeof kinds)[number], opening: number, today: string, months: number) =>
  plausibleHistory({
    iban: 'BG25XSBK92001000000001',
    kind,
    months,
    opening,
    today,
    timeZone: 'Europe/Sofia',
  });

describe('the history of an account that was converted into euro (contract E8.1)', () => {
  it('leads from the converted balance to today’s balance, to the cent', () => {
    const wish = fc.record({
      kind: fc.constantFrom(...kinds),
      leva: fc.integer({ min: 100_000, max: 1_000_000_000 }),
      today: fc
        .date({ min: new Date('2026-01-02'), max: new Date('2028-12-31'), noInvalidDate: true })
        .map((day) => day.toISOString().slice(0, 10)),
    });
    fc.assert(
      fc.property(wish, ({ kind, leva, today }) => {
        const months = countMonths({ historyMonths: 1, historyFrom: '2025-12-01' }, today);
        const history = makeHistory(kind, leva, today, months);
        const opening = levToEuro(leva);
        const { lev, movements } = splitAtConversion(history, opening, levEnd);
        const before = history.filter(({ date }) => date < levEnd);
        expect(lev?.movements).toEqual(before);
        expect(movements).toHaveLength(history.length - before.length);
        const since = movements.reduce((sum, { amount }) => sum + amount, 0);
        expect(levToEuro(lev?.balance ?? 0) + since).toBe(opening);
      }),
      { numRuns: 60 },
    );
  });

  it('is in euro as a whole if it begins after the conversion', () => {
    const history = makeHistory('person', 500_000, '2026-11-28', 3);
    const { lev, movements } = splitAtConversion(history, 255_646, levEnd);
    expect(lev).toBeUndefined();
    expect(movements).toEqual(history.map((one) => ({ ...one, amount: levToEuro(one.amount) })));
  });
});

describe('the length of a history', () => {
  it.each([
    [{ historyMonths: 14 }, '2026-11-28', 14],
    [{ historyMonths: 14, historyFrom: '2025-12-01' }, '2026-11-28', 14],
    [{ historyMonths: 14, historyFrom: '2025-12-01' }, '2027-11-28', 24],
  ])('of %j on %s is %d months', (fixture, today, months) => {
    expect(countMonths(fixture, today)).toBe(months);
  });
});
