import { describe, expect, it } from '@jest/globals';
import { isIban, position13 } from '@xs2a/domain/iban/iban';
import * as fc from 'fast-check';
import { bulgarianIban, freshAccountNumber } from './new-iban.js';

describe('new IBANs (contract 13)', () => {
  it('are valid IBANs of this bank, and never budget accounts (spec 2.4)', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (random) => {
        const iban = bulgarianIban('XSBK', freshAccountNumber(random));
        expect(isIban(iban)).toBe(true);
        expect(iban.slice(4, 8)).toBe('XSBK');
        expect(position13(iban)).toBe('1');
      }),
    );
  });

  it('have the same structure as the IBANs in the fixtures', () => {
    expect(bulgarianIban('XSBK', 1)).toBe('BG25XSBK92001000000001');
    expect(bulgarianIban('XSBK', 3, '920014')).toBe('BG50XSBK92001400000003');
  });

  it('do not collide with the IBANs in the fixtures', () => {
    expect(freshAccountNumber(0)).toBe(10_000_000);
    expect(freshAccountNumber(1 - Number.EPSILON)).toBeLessThan(100_000_000);
  });
});
