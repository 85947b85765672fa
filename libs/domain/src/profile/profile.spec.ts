import { describe, expect, it } from '@jest/globals';
import { levProducts } from '../payment/payment-products.js';
import { profileJson, makeProfile } from '../testing/profiles.js';
import { parseProfile } from './profile.js';

describe('profiles (contract 8)', () => {
  it('in the sandbox, allow only BGN, token refresh for a day, and execution on every day', () => {
    expect(makeProfile('sandbox')).toMatchObject({
      name: 'sandbox',
      currencies: ['BGN'],
      products: [...levProducts],
      refreshTokenSeconds: 86_400,
      bankingDays: 'every-day',
      cutOff: undefined,
    });
  });

  it('in production, allow thirteen currencies, token refresh for 90 days, and execution on banking days', () => {
    const profile = makeProfile('production');
    expect(profile.currencies).toHaveLength(13);
    expect(profile).toMatchObject({
      name: 'production',
      refreshTokenSeconds: 7_776_000,
      bankingDays: 'weekdays',
    });
  });

  it('offer recurring and bulk payments, signing baskets and multilevel SCA only in the sandbox (spec 1.7)', () => {
    expect(makeProfile('sandbox').offers).toEqual([
      'recurring-payments',
      'bulk-payments',
      'signing-baskets',
      'multilevel-sca',
    ]);
    expect(makeProfile('production').offers).toEqual([]);
  });

  it.each(['sandbox', 'production'] as const)('have the limits of spec 8: %s', (name) => {
    expect(makeProfile(name)).toMatchObject({
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
    ['offers', undefined],
    ['offers', ['instant-payments']],
    ['offers', ['bulk-payments', 'bulk-payments']],
    ['offers', { 'bulk-payments': true }],
    ['timeZone', 'Sofia'],
    ['timeZone', 2],
    ['bankingDays', 'some'],
    ['cutOff', '24:00'],
    ['settlementDelaySeconds', 0],
    ['bookingDelaySeconds', 1.5],
    ['authorisationSeconds', '900'],
    ['consentMaxDays', -1],
    ['unattendedPerDay', null],
    ['refreshTokenSeconds', undefined],
    ['colour', 'blue'],
  ])('are refused with the name of the invalid field: %s = %j', (field, value) => {
    expect(() => makeProfile('sandbox', { [field]: value })).toThrow(`"${field}"`);
  });

  it.each([null, [], 'sandbox'])('are refused if they are %j', (json) => {
    expect(() => parseProfile(json, profileJson)).toThrow('JSON object');
  });
});
