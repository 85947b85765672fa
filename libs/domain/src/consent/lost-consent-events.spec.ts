import { describe, expect, it } from '@jest/globals';
import { consentEventTypes } from './consent-event-types.js';
import { mayForbidAccess } from './lost-consent-events.js';

describe('events of consents that were lost (ADR 35)', () => {
  it('forbid access when they ended the consent or have an unknown type', () => {
    expect([...Object.keys(consentEventTypes), 'of-tomorrow'].filter(mayForbidAccess)).toEqual([
      'rejected',
      'terminated-by-tpp',
      'revoked-by-psu',
      'expired',
      'of-tomorrow',
    ]);
  });
});
