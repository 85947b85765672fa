import { describe, expect, it } from '@jest/globals';
import { acceptedLanguage, chooseLanguage, dateText } from './language.js';

describe('language (contract 12)', () => {
  it('is the requested one, or else the last one chosen, or else that of the browser, or else Bulgarian', () => {
    expect(chooseLanguage({ query: 'en', psu: 'bg', accept: 'bg' })).toBe('en');
    expect(chooseLanguage({ query: 'fr', psu: 'en', accept: 'bg' })).toBe('en');
    expect(chooseLanguage({ accept: 'en-GB,en;q=0.9' })).toBe('en');
    expect(chooseLanguage({ accept: 'de' })).toBe('bg');
    expect(chooseLanguage({ query: ['en', 'bg'] })).toBe('bg');
  });

  it('follows the order of preference that the browser sends', () => {
    expect(acceptedLanguage('de, en;q=0.5, bg;q=0.7')).toBe('bg');
    expect(acceptedLanguage('en;q=0, bg;q=0.1')).toBe('bg');
    expect(acceptedLanguage(undefined)).toBeUndefined();
    expect(acceptedLanguage(';;;,=')).toBeUndefined();
  });

  it('determines the format of dates, and of instants converted to the time zone of the bank', () => {
    expect(dateText('2026-11-20', 'en', 'Europe/Sofia')).toBe('20 November 2026');
    expect(dateText('2026-11-20', 'bg', 'Europe/Sofia')).toBe('20 ноември 2026\u00a0г.');
    expect(dateText('2026-11-20T22:30:00.000Z', 'en', 'Europe/Sofia')).toMatch(/21 November 2026 at 00:30/);
  });
});
