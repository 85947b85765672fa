import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { makeLook } from '../../testing/test-look.js';
import type { NamedConsent } from './apps-list.js';
import { approvalsPage } from './approvals-page.js';

const consent: NamedConsent = {
  consentId: 'a',
  tppId: 'tpp',
  tppName: 'ShopFast',
  consentStatus: 'valid',
  accounts: [{ iban: 'BG25XSBK92001000000001', resourceId: 'b', currency: 'BGN', access: ['accounts'] }],
  validUntil: '2027-01-28',
  lastUsedAt: '2026-11-24T22:30:00.000Z',
  recentUses: ['2026-11-24T22:30:00.000Z', '2026-11-20T10:00:00.000Z'],
};

/** Returns the page without its tags. */
const read = (consents: readonly NamedConsent[], language: 'bg' | 'en' = 'en'): string => {
  const view = {
    language,
    path: '/sca/apps',
    csrf: 'token',
    version: 1,
    timeZone: 'Europe/Sofia',
    profile: makeProfile('sandbox'),
  };
  const { text } = approvalsPage(view, { consents, grants: [], payments: [] })(makeLook());
  return text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
};

describe('the list of apps with access (contract 12)', () => {
  it('shows when an app was last used, and its last accesses, in the bank’s time', () => {
    const text = read([consent]);
    expect(text).toContain('ShopFast active , last used 25 November 2026 at 00:30');
    expect(text).toContain('The last 2 accesses 25 November 2026 at 00:30 20 November 2026 at 12:00');
    expect(read([consent], 'bg')).toContain('Последните 2 достъпа 25 ноември 2026 г. в 0:30');
  });

  it('says nothing about accesses of an app that has made none', () => {
    const text = read([{ ...consent, lastUsedAt: undefined, recentUses: [] }]);
    expect(text).not.toMatch(/last used|accesses/);
  });

  it('offers to withdraw an access until it has ended, and folds the ended ones', () => {
    const ended: NamedConsent = { ...consent, consentId: 'b', tppName: 'OldApp', consentStatus: 'expired' };
    expect(read([consent])).toContain('Yes, withdraw it');
    const text = read([ended]);
    expect(text).not.toContain('Yes, withdraw it');
    expect(text).toContain('No app can read your accounts. Ended (1) OldApp');
  });
});
