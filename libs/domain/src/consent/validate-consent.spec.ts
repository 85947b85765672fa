import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { makeProfile } from '../testing/profiles.js';
import { consentHeaderFailure, validateConsent } from './validate-consent.js';

const rules = { profile: makeProfile('sandbox'), today: '2026-11-20' };
const first = { iban: 'BG25XSBK92001000000001' };
const second = { iban: 'BG95XSBK92001000000002', currency: 'BGN' };
const body = {
  access: { accounts: [first], balances: [first], transactions: [first, second] },
  recurringIndicator: true,
  validUntil: '2026-12-31',
  frequencyPerDay: 4,
  combinedServiceIndicator: 'false',
};
const validate = (submitted: unknown) => validateConsent(submitted, rules);
const validationFailures = (submitted: unknown): string[] => {
  const result = validate(submitted);
  return 'failures' in result ? result.failures.map(({ failure, path }) => `${failure} ${path ?? '-'}`) : [];
};
const effective = (change: object): unknown => {
  const result = validate({ ...body, ...change });
  return 'valid' in result ? result.valid : result.failures;
};

describe('validation of a consent request (spec 2.1, contract 5)', () => {
  it('accepts a valid body', () => {
    expect(validate(body)).toEqual({
      valid: {
        access: body.access,
        psuPicksAccounts: false,
        recurringIndicator: true,
        validUntil: '2026-12-31',
        frequencyPerDay: 4,
        combinedServiceIndicator: false,
      },
    });
  });

  it('accepts three empty arrays, which let the PSU pick the accounts (spec 2.1 rule 3)', () => {
    const access = { accounts: [], balances: [], transactions: [] };
    expect(effective({ access })).toMatchObject({ psuPicksAccounts: true, access });
  });

  it('accepts a body that omits an access type (spec 2.1 rule 2)', () => {
    expect(effective({ access: { balances: [first] } })).toMatchObject({
      access: { balances: [first] },
      psuPicksAccounts: false,
    });
  });

  it('keeps account references as sent (spec 2.1 rule 1)', () => {
    const access = { balances: [{ ...first, currency: 'BGN', cashAccountType: 'CACC' }] };
    expect(effective({ access })).toMatchObject({ access });
  });

  it.each<[unknown, string]>([
    [undefined, 'fieldMissing access'],
    [{}, 'fieldMalformed access'],
    [[], 'fieldMalformed access'],
    [null, 'fieldMalformed access'],
    [{ accounts: [] }, 'fieldMalformed access'],
    [{ accounts: [], balances: [] }, 'fieldMalformed access'],
    [{ accounts: [first], balances: [], transactions: [] }, 'fieldMalformed access'],
    [{ accounts: [first], balances: [] }, 'fieldMalformed access'],
    [{ accounts: 'all' }, 'fieldMalformed access.accounts'],
    [{ accounts: null, balances: [first] }, 'fieldMalformed access.accounts'],
    [{ accounts: [first, first] }, 'fieldMalformed access.accounts[1].iban'],
    [{ accounts: [first, { ...first, currency: 'BGN' }] }, 'fieldMalformed access.accounts[1].iban'],
    [{ accounts: [first.iban] }, 'fieldMalformed access.accounts[0]'],
    [{ accounts: [{}] }, 'fieldMissing access.accounts[0].iban'],
    [{ accounts: [{ iban: 'BG00XSBK92001000000001' }] }, 'fieldMalformed access.accounts[0].iban'],
    [{ accounts: [{ ...first, currency: 'leva' }] }, 'fieldMalformed access.accounts[0].currency'],
    [{ accounts: [{ ...first, colour: 'x' }] }, 'fieldUnknown access.accounts[0].colour'],
    [{ accounts: [first], availableAccounts: 'allAccounts' }, 'fieldUnknown access.availableAccounts'],
    [{ accounts: Array.from({ length: 101 }, () => first) }, 'fieldMalformed access.accounts'],
  ])('refuses access %j', (access, failure) => {
    expect(validationFailures({ ...body, access })).toEqual([failure]);
  });

  it.each<[string, unknown]>([
    ['recurringIndicator', 'true'],
    ['recurringIndicator', null],
    ['validUntil', '2026-11-19'],
    ['validUntil', '2026-02-30'],
    ['validUntil', 20261231],
    ['frequencyPerDay', 0],
    ['frequencyPerDay', -1],
    ['frequencyPerDay', 1.5],
    ['frequencyPerDay', '4'],
    ['combinedServiceIndicator', 'yes'],
    ['combinedServiceIndicator', 1],
  ])('refuses %s with the value %j', (name, value) => {
    expect(validationFailures({ ...body, [name]: value })).toEqual([`fieldMalformed ${name}`]);
  });

  it.each(['recurringIndicator', 'validUntil', 'frequencyPerDay', 'combinedServiceIndicator'])(
    'requires %s',
    (name) => {
      expect(validationFailures({ ...body, [name]: undefined })).toEqual([`fieldMissing ${name}`]);
    },
  );

  it('reports all violations together, in field order', () => {
    expect(validationFailures({ colour: 1, access: {}, frequencyPerDay: 0 })).toEqual([
      'fieldMalformed access',
      'fieldMissing recurringIndicator',
      'fieldMissing validUntil',
      'fieldMalformed frequencyPerDay',
      'fieldMissing combinedServiceIndicator',
      'fieldUnknown colour',
    ]);
  });

  it('limits a one-off consent to one call per day', () => {
    expect(validationFailures({ ...body, recurringIndicator: false, frequencyPerDay: 2 })).toEqual([
      'fieldMalformed frequencyPerDay',
    ]);
    expect(effective({ recurringIndicator: false, frequencyPerDay: 1 })).toMatchObject({
      recurringIndicator: false,
    });
  });

  it('returns effective values: at most four calls a day and at most 90 days ahead', () => {
    expect(effective({ frequencyPerDay: 1000 })).toMatchObject({ frequencyPerDay: 4 });
    expect(effective({ frequencyPerDay: 2 })).toMatchObject({ frequencyPerDay: 2 });
    expect(effective({ validUntil: '9999-12-31' })).toMatchObject({ validUntil: '2027-02-18' });
    expect(effective({ validUntil: '2026-11-20' })).toMatchObject({ validUntil: '2026-11-20' });
  });

  it.each([
    ['true', true],
    [true, true],
    ['false', false],
    [false, false],
  ])('accepts combinedServiceIndicator %j', (sent, read) => {
    expect(effective({ combinedServiceIndicator: sent })).toMatchObject({ combinedServiceIndicator: read });
  });

  it.each([
    ['neither PSU-ID nor PSU-Corporate-ID', {}, 'PSU-ID'],
    ['an empty PSU-ID', { psuId: '' }, 'PSU-ID'],
    ['a PSU-ID of 101 characters', { psuId: 'x'.repeat(101) }, 'PSU-ID'],
    ['a bidirectional character in PSU-Corporate-ID', { psuCorporateId: 'a\u202eb' }, 'PSU-Corporate-ID'],
  ])('refuses %s (spec 2.1 rule 4)', (_what, headers, path) => {
    expect(consentHeaderFailure(headers)).toMatchObject({ failure: 'headerMalformed', path });
  });

  it.each([{ psuId: 'ivan' }, { psuCorporateId: 'acme' }, { psuId: 'ivan', psuCorporateId: 'acme' }])(
    'accepts the headers %j (spec 2.1 rule 4)',
    (headers) => {
      expect(consentHeaderFailure(headers)).toBeUndefined();
    },
  );

  it('handles any JSON without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(body)), (value, name) => {
        const results = [
          validate({ ...body, [name]: value }),
          validate(value),
          validate({ ...body, access: { accounts: [value] } }),
        ];
        for (const result of results) expect('valid' in result || result.failures.length > 0).toBe(true);
      }),
      { numRuns: 10_000 },
    );
  });
});
