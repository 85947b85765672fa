import { describe, expect, it } from '@jest/globals';
import { type CountedCall, parseClaimId, toClaimId } from './counter-key.js';

const consentId = '01890000-0000-7000-8000-000000000000';
const list = { consentId, endpoint: 'accounts', resourceId: '' } as const;
const account = {
  consentId,
  endpoint: 'transactions',
  resourceId: 'd3b07384-d9a0-4c1f-8f5e-2b1a3c4d5e6f',
} as const;
const call = 1_800_000_000_123_456;

describe('the claim id of a counted call', () => {
  it.each<CountedCall>([
    { key: list, call },
    { key: account, call },
    { key: account, call, report: {} },
    { key: account, call, report: { last: call - 1 } },
    { key: account, report: {} },
    { key: account, report: { last: call } },
  ])('can be parsed back to the counted call: %j', (counted) => {
    expect(parseClaimId(toClaimId(counted))).toEqual(counted);
  });

  it.each(['', 'x', `${consentId}/cards//1`, `${consentId}/accounts//x`, `${consentId}/accounts//1/2/3`])(
    'cannot be parsed from %p',
    (text) => expect(parseClaimId(text)).toBeUndefined(),
  );
});
