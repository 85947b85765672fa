import { describe, expect, it } from '@jest/globals';
import { beginMs, endMs, readMoment } from './moments.js';

const wall = { nowMs: Date.parse('2026-03-29T12:00:00.000Z'), timeZone: 'Europe/Sofia' };
const iso = (ms: number): string => new Date(ms).toISOString();

describe('a period entered by an operator (docs/how-to/operate.md)', () => {
  it.each([
    ['90s', '2026-03-29T11:58:30.000Z'],
    ['30m', '2026-03-29T11:30:00.000Z'],
    ['30min', '2026-03-29T11:30:00.000Z'],
    ['30 min', '2026-03-29T11:30:00.000Z'],
    ['2h', '2026-03-29T10:00:00.000Z'],
    ['7d', '2026-03-22T12:00:00.000Z'],
    ['2026-03-29T10:00Z', '2026-03-29T10:00:00.000Z'],
    ['2026-03-29T10:00:00.5+03:00', '2026-03-29T07:00:00.500Z'],
  ])('as %s starts and ends at %s', (text, instant) => {
    const moment = readMoment(text);
    expect([iso(beginMs(moment, wall)), iso(endMs(moment, wall))]).toEqual([instant, instant]);
  });

  it('as a day covers the whole day in the time zone of the bank, even if that day has 23 hours', () => {
    const moment = readMoment('2026-03-29');
    expect(iso(beginMs(moment, wall))).toBe('2026-03-28T22:00:00.000Z');
    expect(iso(endMs(moment, wall))).toBe('2026-03-29T21:00:00.000Z');
  });

  it.each(['1000-01-01', '2999-12-31', '99999d'])('as %s has a start and an end', (text) => {
    const moment = readMoment(text);
    expect(Number.isFinite(beginMs(moment, wall) + endMs(moment, wall))).toBe(true);
  });

  it.each([
    '',
    'yesterday',
    '2',
    '-2h',
    '2w',
    '1.5h',
    '100000d',
    '2026-02-29',
    '2026-02-29T10:00Z',
    '2026-01-31T10:00',
    '2026-01-31 10:00Z',
    '2026-01-31T24:00Z',
    '9999-12-31',
    '0001-01-01',
    ' 2h',
  ])('as %j is refused', (text) => {
    expect(() => readMoment(text)).toThrow('It must be a duration such as');
  });
});
