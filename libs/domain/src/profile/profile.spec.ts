import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { paymentProducts } from '../payment/payment-products.js';
import { parseProfile } from './profile.js';

const jsonOf = (name: string): Record<string, unknown> => {
  const parsed: unknown = JSON.parse(
    readFileSync(new URL(`../../../../deploy/profiles/${name}.json`, import.meta.url), 'utf8'),
  );
  return { ...Object(parsed) };
};

describe('profiles (contract 8)', () => {
  it('sandbox: BGN only, refresh for a day, every day a banking day', () => {
    expect(parseProfile(jsonOf('sandbox'))).toMatchObject({
      name: 'sandbox',
      currencies: ['BGN'],
      products: [...paymentProducts],
      refreshTokenSeconds: 86_400,
      bankingDays: 'every-day',
      cutOff: undefined,
    });
  });

  it('production: thirteen currencies, refresh for 90 days, banking days', () => {
    const profile = parseProfile(jsonOf('production'));
    expect(profile.currencies).toHaveLength(13);
    expect(profile).toMatchObject({
      name: 'production',
      refreshTokenSeconds: 7_776_000,
      bankingDays: 'weekdays',
    });
  });

  it.each(['sandbox', 'production'])('%s: limits of spec 8', (name) => {
    expect(parseProfile(jsonOf(name))).toMatchObject({
      settlementDelaySeconds: 60,
      bookingDelaySeconds: 300,
      authorisationSeconds: 900,
      consentAuthorisationSeconds: 86_400,
      consentMaxDays: 90,
      oneOffConsentSeconds: 1200,
      unattendedPerDay: 4,
      authorizationCodeSeconds: 60,
      userTokenSeconds: 300,
      applicationTokenSeconds: 3600,
    });
  });

  it.each([
    ['name', 'test'],
    ['bank', { name: 'Bank' }],
    ['currencies', ['XXX']],
    ['currencies', []],
    ['currencies', ['BGN', 'BGN']],
    ['currencies', 'BGN'],
    ['products', ['instant']],
    ['timeZone', 'Sofia'],
    ['timeZone', 2],
    ['bankingDays', 'some'],
    ['holidays', ['2026-02-30']],
    ['cutOff', '24:00'],
    ['settlementDelaySeconds', 0],
    ['bookingDelaySeconds', 1.5],
    ['authorisationSeconds', '900'],
    ['consentMaxDays', -1],
    ['unattendedPerDay', null],
    ['refreshTokenSeconds', undefined],
    ['colour', 'blue'],
  ])('names the wrong field: %s = %j', (field, value) => {
    expect(() => parseProfile({ ...jsonOf('sandbox'), [field]: value })).toThrow(`"${field}"`);
  });

  it.each([null, [], 'sandbox'])('refuses %j', (json) => {
    expect(() => parseProfile(json)).toThrow('JSON object');
  });
});
