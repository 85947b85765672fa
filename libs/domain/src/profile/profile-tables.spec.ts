import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '../testing/profiles.js';
import { holidaysIn } from '../time/holiday-calendars.js';
import { holidaysEnd, parseProfileTables } from './profile-tables.js';

const named = { sepa: 'tables/sepa.json', eea: 'tables/eea.json', holidays: 'tables/holidays.json' };
const origin = { about: 'What it is.', source: 'Who says so.', asOf: '2026-01-01' };
const right: Readonly<Record<string, Record<string, unknown>>> = {
  'tables/sepa.json': { ...origin, countries: ['BG', 'DE'], exceptBanks: ['DEUTDEFF'] },
  'tables/eea.json': { ...origin, countries: ['BG'], currencies: ['BGN'] },
  'tables/holidays.json': { ...origin, days: ['2026-03-03'] },
};
/** Parses the tables after changing some members of one table. */
const read = (file: string, change: object) =>
  parseProfileTables(named, (name) => ({ ...right[name], ...(name === file ? change : {}) }), 'lev');

describe('the tables of a profile (contract 8)', () => {
  it('are parsed into the values that the rules need', () => {
    expect(read('', {})).toEqual({
      sepa: { countries: new Set(['BG', 'DE']), exceptBanks: new Set(['DEUTDEFF']) },
      eea: { countries: new Set(['BG']), currencies: new Set(['BGN']) },
      holidays: ['2026-03-03'],
      holidaysUntil: '2026-03-03',
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
    ['tables/holidays.json', { calendars: ['XX'] }, 'holidays.calendars'],
    ['tables/holidays.json', { asOf: 'lately' }, 'holidays.asOf'],
  ])('are refused with an error that names the invalid field: %s with %j', (file, change, place) => {
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
  ])('are refused if one has the file name %j', (name) => {
    expect(() => makeProfile('sandbox', { eea: name })).toThrow('"eea"');
  });

  it('contain the thirty EEA states, which SEPA reaches, and twelve other countries that use IBANs', () => {
    const { sepa, eea } = makeProfile('production');
    expect([eea.countries.size, sepa.countries.size]).toEqual([30, 42]);
    expect([...eea.countries].filter((country) => !sepa.countries.has(country))).toEqual([]);
    expect([...eea.currencies].sort().join(' ')).toBe('BGN DKK EUR HUF NOK PLN RON SEK');
  });

  it('contain computed holidays for more years than any schedule needs', () => {
    const { holidays, holidaysUntil } = makeProfile('production');
    expect(holidays.filter((day) => /^20(?:26|99)/.test(day))).toEqual([
      ...holidaysIn('BG', 2026),
      ...holidaysIn('BG', 2099),
    ]);
    expect(holidaysUntil).toBeUndefined();
  });

  it('allow a bank to add closed days to a computed calendar and to remove days from it', () => {
    const { holidays } = read('tables/holidays.json', {
      days: undefined,
      calendars: ['TARGET'],
      closed: ['2026-03-03'],
      open: ['2026-05-01'],
    });
    const [added, taken] = ['2026-03-03', '2026-05-01'];
    expect(holidays.filter((day) => day.startsWith('2026'))).toEqual(
      [...holidaysIn('TARGET', 2026), added].filter((day) => day !== taken).sort(),
    );
  });

  it.each([
    ['401 days before its last day', '2025-01-26', undefined],
    ['399 days before its last day', '2025-01-28', expect.stringContaining('2026-03-03')],
    ['after its last day', '2027-01-01', expect.stringContaining('2026-03-03')],
  ])(
    'cause a warning only if they list individual days and the last one is near or past: %s',
    (_title, today, warning) => {
      expect(holidaysEnd(read('', {}), today)).toEqual(warning);
    },
  );
});
