import { describe, expect, it } from '@jest/globals';
import { durationMs } from './iso-duration.js';

const from = Date.parse('2027-01-31T10:00:00Z');
const minute = 60_000;
const day = 86_400_000;

describe('ISO 8601 durations for the sandbox clock (contract 13)', () => {
  it.each([
    ['PT1M', minute],
    ['PT0S', 0],
    ['PT90S', 90_000],
    ['PT0.5S', 500],
    ['PT1,25S', 1250],
    ['PT1H30M', 90 * minute],
    ['P1D', day],
    ['P90D', 90 * day],
    ['P2W', 14 * day],
    ['P1DT12H', 1.5 * day],
    ['P1M', 28 * day],
    ['P13M', Date.parse('2028-02-29T10:00:00Z') - from],
    ['P1Y', 365 * day],
    ['P10Y', Date.parse('2037-01-31T10:00:00Z') - from],
  ])('%s is %d ms', (text, expected) => {
    expect(durationMs(text, from)).toBe(expected);
  });

  it.each([
    '',
    'P',
    'PT',
    'P1DT',
    '1D',
    'PT1',
    'P1H',
    'PT1D',
    'pt1m',
    '-PT1M',
    '+PT1M',
    'PT-1M',
    'P1D ',
    'P1D1D',
    'PT1S1M',
    'P1.5D',
    'PT0.1234S',
    'P11Y',
    'P4000D',
    'PT9999999999S',
    'P99999999999999999999D',
    'P9999Y',
    60,
    null,
    undefined,
    {},
  ])('%j is invalid or too long', (text) => {
    expect(durationMs(text, from)).toBeUndefined();
  });
});
