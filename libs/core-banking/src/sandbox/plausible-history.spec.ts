import { describe, expect, it } from '@jest/globals';
import { isIban } from '@xs2a/domain/iban/iban';
import { toBankDate } from '@xs2a/domain/time/bank-calendar';
import { type HistoryWish, plausibleHistory } from './plausible-history.js';

const timeZone = 'Europe/Sofia';
const wish: HistoryWish = {
  iban: 'BG25XSBK92001000000001',
  kind: 'person',
  months: 14,
  opening: 500_000,
  today: '2025-11-20',
  timeZone,
};
const kinds = ['person', 'corporate', 'savings'] as const;

/** Balances from newest to oldest, in minor units. */
const balancesBackFrom = (opening: number, amounts: readonly number[]): number[] => {
  let balance = opening;
  return amounts.toReversed().map((amount) => (balance -= amount));
};

describe('seeded history (contract 13)', () => {
  it('is the same for the same account and day, and different for another account', () => {
    expect(plausibleHistory(wish)).toEqual(plausibleHistory(wish));
    const other = plausibleHistory({ ...wish, iban: 'BG95XSBK92001000000002' });
    expect(other.map(({ amount }) => amount)).not.toEqual(plausibleHistory(wish).map(({ amount }) => amount));
  });

  it.each(kinds)(
    'of a %s account contains credits and debits, oldest first, and ends before today',
    (kind) => {
      const movements = plausibleHistory({ ...wish, kind });
      expect(movements.length).toBeGreaterThan(14);
      expect(movements.some(({ amount }) => amount > 0)).toBe(true);
      expect(movements.some(({ amount }) => amount < 0)).toBe(true);
      const instants = movements.map(({ at }) => at);
      expect(instants).toEqual(instants.toSorted());
      expect(movements.every(({ at, date }) => toBankDate(at, timeZone) === date && date < wish.today)).toBe(
        true,
      );
      expect(movements[0]?.date.slice(0, 7)).toBe('2024-09');
    },
  );

  it.each(kinds)('of a %s account never needs an overdraft', (kind) => {
    for (const opening of [0, 25_000, 500_000]) {
      for (const iban of ['a', 'b', 'c', 'd', 'e']) {
        const movements = plausibleHistory({ ...wish, kind, opening, iban });
        const balances = balancesBackFrom(
          opening,
          movements.map(({ amount }) => amount),
        );
        expect(Math.min(0, ...balances)).toBe(0);
      }
    }
  });

  it('contains only counterparty accounts with valid check digits', () => {
    const accounts = kinds
      .flatMap((kind) => plausibleHistory({ ...wish, kind }))
      .flatMap(({ dealing }) => dealing.account ?? []);
    expect(accounts.length).toBeGreaterThan(0);
    expect(accounts.filter((account) => !isIban(account))).toEqual([]);
  });

  it('is empty for an account without history', () => {
    expect(plausibleHistory({ ...wish, months: 0 })).toEqual([]);
  });
});
