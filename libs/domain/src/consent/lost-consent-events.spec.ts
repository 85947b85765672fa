import { describe, expect, it } from '@jest/globals';
import { consentEventTypes } from './consent-event-types.js';
import { mayForbidAccess } from './lost-consent-events.js';

describe('lost events of consents (ADR 35)', () => {
  it('forbid access if they may have ended the consent or if their type is unknown', () => {
    expect([...Object.keys(consentEventTypes), 'of-tomorrow'].filter(mayForbidAccess)).toEqual([
      'rejected',
      'terminated-by-tpp',
      'revoked-by-psu',
      'expired',
      'of-tomorrow',
    ]);
  });
});
