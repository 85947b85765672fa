import { describe, expect, it } from '@jest/globals';
import { profileJson, profileOf } from '../testing/profiles.js';
import { parseProfileTables } from './profile-tables.js';

const named = { sepa: 'tables/sepa.json', eea: 'tables/eea.json', holidays: 'tables/holidays.json' };
const origin = { about: 'What it is.', source: 'Who says so.', asOf: '2026-01-01' };
const right: Readonly<Record<string, Record<string, unknown>>> = {
  'tables/sepa.json': { ...origin, countries: ['BG', 'DE'], exceptBanks: ['DEUTDEFF'] },
  'tables/eea.json': { ...origin, countries: ['BG'], currencies: ['BGN'] },
  'tables/holidays.json': { ...origin, days: ['2026-03-03'] },
};
/** Reads the tables with some members of one of them changed. */
const read = (file: string, change: object) =>
  parseProfileTables(named, (name) => ({ ...right[name], ...(name === file ? change : {}) }));

describe('tables beside the profile (contract 8)', () => {
  it('are read into what the rules ask', () => {
    expect(read('', {})).toEqual({
      sepa: { countries: new Set(['BG', 'DE']), exceptBanks: new Set(['DEUTDEFF']) },
      eea: { countries: new Set(['BG']), currencies: new Set(['BGN']) },
      holidays: ['2026-03-03'],
    });
  });

  it.each<[string, object, string]>([
    ['tables/sepa.json', { countries: [] }, 'sepa.countries'],
    ['tables/sepa.json', { countries: ['BG', 'BG'] }, 'sepa.countries'],
    ['tables/sepa.json', { countries: ['bg'] }, 'sepa.countries'],
    ['tables/sepa.json', { countries: 'BG' }, 'sepa.countries'],
    ['tables/sepa.json', { countries: ['US'] }, 'sepa.countries'],
    ['tables/sepa.json', { exceptBanks: ['DEUTDEFFXXX'] }, 'sepa.exceptBanks'],
    ['tables/sepa.json', { exceptBanks: undefined }, 'sepa.exceptBanks'],
    ['tables/sepa.json', { source: '' }, 'sepa.source'],
    ['tables/sepa.json', { colour: 'blue' }, 'sepa.colour'],
    ['tables/eea.json', { countries: ['ZZ'] }, 'eea.countries'],
    ['tables/eea.json', { currencies: [] }, 'eea.currencies'],
    ['tables/eea.json', { currencies: ['lev'] }, 'eea.currencies'],
    ['tables/eea.json', { about: undefined }, 'eea.about'],
    ['tables/holidays.json', { days: ['2026-02-30'] }, 'holidays.days'],
    ['tables/holidays.json', { days: ['2026-03-03', '2026-03-03'] }, 'holidays.days'],
    ['tables/holidays.json', { asOf: 'lately' }, 'holidays.asOf'],
  ])('%s with %j names the wrong field', (file, change, place) => {
    expect(() => read(file, change)).toThrow(`"${place}"`);
  });

  it.each([
    undefined,
    7,
    '../eea.json',
    'tables/../eea.json',
    '/etc/passwd',
    'eea.json',
    ['tables/eea.json'],
  ])('a table named %j is none', (name) => {
    expect(() => profileOf('sandbox', { eea: name })).toThrow('"eea"');
  });

  it('ship with the thirty states of the EEA, which SEPA reaches, and twelve IBAN countries more', () => {
    const { sepa, eea } = profileOf('production');
    expect([eea.countries.size, sepa.countries.size]).toEqual([30, 42]);
    expect([...eea.countries].filter((country) => !sepa.countries.has(country))).toEqual([]);
    expect([...eea.currencies].sort().join(' ')).toBe('BGN DKK EUR HUF NOK PLN RON SEK');
  });

  it('ship with holidays that fall on weekdays, for three years', () => {
    const { days } = profileJson('tables/holidays-bg.json');
    const all = profileOf('production').holidays;
    expect(days).toEqual(all);
    expect(new Set(all.map((day) => day.slice(0, 4)))).toEqual(new Set(['2026', '2027', '2028']));
    expect(all.filter((day) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay()))).toEqual([]);
  });
});
