import { describe, expect, it } from '@jest/globals';
import { readText } from '../sources.js';
import { profilesPage } from './profiles-page.js';

/** Removes the formatter's column padding from tables. */
const unaligned = (text: string): string => text.replaceAll(/ {2,}/g, ' ').replaceAll(/-{3,}/g, '---');

describe('docs/profiles.md (contract E1.2, E2.2)', () => {
  it('is up to date: run npm run profiles', () => {
    expect(unaligned(readText('docs/profiles.md'))).toBe(unaligned(profilesPage()));
  });

  it.each([
    '| currencies | BGN | BGN, USD, EUR, JPY, CHF, AUD, CAD, DKK, HUF, NOK, SEK, PLN, RON | EUR | EUR, USD, JPY, CHF, AUD, CAD, DKK, HUF, NOK, SEK, PLN, RON |',
    '| refresh tokens | 24 hours | 90 days | 24 hours | 180 days |',
    '| consents, at most | 90 days | 90 days | 180 days | 180 days |',
    '| banking days of payments | every day | Monday to Friday except holidays (BG) | every day | Monday to Friday except holidays (TARGET) |',
    '| banking days of periodic orders | Monday to Friday except holidays (BG) | Monday to Friday except holidays (BG) | Monday to Friday except holidays (TARGET) | Monday to Friday except holidays (TARGET) |',
    '| `serviceLevel` | optional | optional | optional | mandatory |',
  ])('states %s', (row) => {
    expect(profilesPage()).toContain(row);
  });
});
