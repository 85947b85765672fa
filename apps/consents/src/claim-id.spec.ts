import { describe, expect, it } from '@jest/globals';
import { claimIdOf, claimOf } from './claim-id.js';

const consentId = '01890000-0000-7000-8000-000000000000';

describe('the name of a counted call', () => {
  it.each([
    { consentId, endpoint: 'accounts', resourceId: '' } as const,
    { consentId, endpoint: 'transactions', resourceId: 'd3b07384-d9a0-4c1f-8f5e-2b1a3c4d5e6f' } as const,
  ])('leads back to its window and its microsecond', (key) => {
    expect(claimOf(claimIdOf(key, 1_800_000_000_123_456))).toEqual({ key, call: 1_800_000_000_123_456 });
  });

  it.each(['', 'x', `${consentId}/cards//1`, `${consentId}/accounts//x`, `${consentId}/accounts//1/2`])(
    'is not %p',
    (text) => expect(claimOf(text)).toBeUndefined(),
  );
});
