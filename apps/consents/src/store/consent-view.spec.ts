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

describe('when a consent ends by itself (contract 5)', () => {
  it('is when the time to authorise it is over', () => {
    expect(dueAt(consent({ status: 'received' }), zone)).toBe('2026-08-02T10:00:00.000Z');
  });

  it('is the end of its last day in the bank’s zone, in summer and in winter time', () => {
    expect(dueAt(consent({}), zone)).toBe('2026-10-24T21:00:00.000Z');
    expect(dueAt(consent({ validUntil: '2026-10-25' }), zone)).toBe('2026-10-25T22:00:00.000Z');
  });

  it('is the end of a used one-off consent, when that is earlier', () => {
    expect(dueAt(consent({ oneOffEndsAt: '2026-08-01T12:20:00.000Z' }), zone)).toBe(
      '2026-08-01T12:20:00.000Z',
    );
    expect(dueAt(consent({ oneOffEndsAt: '2026-10-24T21:10:00.000Z' }), zone)).toBe(
      '2026-10-24T21:00:00.000Z',
    );
  });

  it.each(['rejected', 'revokedByPsu', 'terminatedByTpp', 'expired'] as const)(
    'is never for one that is %s',
    (status) => {
      expect(dueAt(consent({ status }), zone)).toBeUndefined();
    },
  );
});
