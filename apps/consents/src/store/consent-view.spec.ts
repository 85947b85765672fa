import { describe, expect, it } from '@jest/globals';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { dueAt } from './consent-view.js';

const zone = 'Europe/Sofia';
const consent = (more: Partial<ConsentState>): ConsentState => ({
  consentId: 'c',
  tppId: 't',
  access: {},
  psuPicksAccounts: false,
  recurringIndicator: true,
  validUntil: '2026-10-24',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
  redirectUris: {},
  expiresAt: '2026-08-02T10:00:00.000Z',
  status: 'valid',
  signaturesRequired: 1,
  authorisations: [{ authorisationId: 'a', scaStatus: 'finalised' }],
  accounts: [],
  lastActionDate: '2026-08-01',
  ...more,
});

describe('the time at which a consent ends automatically (contract 5)', () => {
  it('is the end of the time allowed for its authorisation', () => {
    expect(dueAt(consent({ status: 'received' }), zone)).toBe('2026-08-02T10:00:00.000Z');
  });

  it('is the end of its last day in the time zone of the bank, in summer and winter time', () => {
    expect(dueAt(consent({}), zone)).toBe('2026-10-24T21:00:00.000Z');
    expect(dueAt(consent({ validUntil: '2026-10-25' }), zone)).toBe('2026-10-25T22:00:00.000Z');
  });

  it('is the end of the time allowed for a one-off consent after its first use, if that comes first', () => {
    expect(dueAt(consent({ oneOffEndsAt: '2026-08-01T12:20:00.000Z' }), zone)).toBe(
      '2026-08-01T12:20:00.000Z',
    );
    expect(dueAt(consent({ oneOffEndsAt: '2026-10-24T21:10:00.000Z' }), zone)).toBe(
      '2026-10-24T21:00:00.000Z',
    );
  });

  it.each(['rejected', 'revokedByPsu', 'terminatedByTpp', 'expired'] as const)(
    'is undefined for a consent that is %s',
    (status) => {
      expect(dueAt(consent({ status }), zone)).toBeUndefined();
    },
  );
});
