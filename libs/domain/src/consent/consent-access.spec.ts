import { describe, expect, it } from '@jest/globals';
import { type AccessRequest, consentAccessFailure } from './consent-access.js';
import type { ConsentState } from './consent-state.js';
import { consentStatuses } from './consent-transitions.js';

const consent: ConsentState = {
  consentId: 'con-1',
  tppId: 'tpp-1',
  access: {},
  psuPicksAccounts: false,
  recurringIndicator: true,
  validUntil: '2026-12-31',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
  redirectUris: {},
  expiresAt: '2026-11-21T10:00:00.000Z',
  status: 'valid',
  signaturesRequired: 1,
  authorisations: [{ authorisationId: 'auth-1', scaStatus: 'finalised', psuId: 'ivan' }],
  lastActionDate: '2026-11-20',
  accounts: [
    {
      iban: 'BG25XSBK92001000000001',
      resourceId: 'both',
      currency: 'BGN',
      access: ['balances', 'transactions'],
    },
    { iban: 'BG95XSBK92001000000002', resourceId: 'balances', currency: 'BGN', access: ['balances'] },
  ],
};
const at = { today: '2026-11-20', now: '2026-11-20T10:00:00.000Z' };
const answer = (request: Partial<AccessRequest>, change: Partial<ConsentState> = {}) =>
  consentAccessFailure({ ...consent, ...change }, { endpoint: 'accounts', ...at, ...request })?.failure ??
  'allowed';

describe('access under a consent (contract 3)', () => {
  it.each(consentStatuses)('is granted only if the consent is valid: %s', (status) => {
    const expected =
      status === 'valid' ? 'allowed' : status === 'expired' ? 'consentExpired' : 'consentInvalid';
    expect(answer({}, { status })).toBe(expected);
  });

  it.each<[AccessRequest['endpoint'], string | undefined, string]>([
    ['accounts', undefined, 'allowed'],
    ['account', 'both', 'allowed'],
    ['account', 'balances', 'allowed'],
    ['account', 'none', 'resourceUnknown'],
    ['account', undefined, 'resourceUnknown'],
    ['balances', 'both', 'allowed'],
    ['balances', 'none', 'resourceUnknown'],
    ['transactions', 'both', 'allowed'],
    ['transactions', 'balances', 'accessNotGranted'],
    ['transactions', 'none', 'resourceUnknown'],
  ])('to %s of the account %s results in: %s', (endpoint, resourceId, expected) => {
    expect(answer({ endpoint, resourceId })).toBe(expected);
  });

  it('fails with accessNotGranted, without an account lookup, if no account has the required access type', () => {
    const change = { accounts: consent.accounts.slice(1) };
    expect(answer({ endpoint: 'transactions', resourceId: 'none' }, change)).toBe('accessNotGranted');
  });

  it('ends when the consent expires, even before a job has recorded the expiry', () => {
    expect(answer({ today: '2026-12-31' })).toBe('allowed');
    expect(answer({ today: '2027-01-01' })).toBe('consentExpired');
    expect(answer({}, { oneOffEndsAt: '2026-11-20T10:00:00.001Z' })).toBe('allowed');
    expect(answer({}, { oneOffEndsAt: '2026-11-20T10:00:00.000Z' })).toBe('consentExpired');
  });
});
