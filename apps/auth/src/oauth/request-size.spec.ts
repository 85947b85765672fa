import { describe, expect, it } from '@jest/globals';
import { checkRequestSize } from './request-size.js';

describe('the limits on an authorization request', () => {
  it('allow 2,048 bytes of state, in UTF-8', () => {
    expect(() => checkRequestSize({ state: 'x'.repeat(2048) })).not.toThrow();
    expect(() => checkRequestSize({ state: 'x'.repeat(2049) })).toThrow('invalid_request');
    expect(() => checkRequestSize({ state: 'я'.repeat(1025) })).toThrow('invalid_request');
  });

  it('allow 4,096 bytes for all other parameters together, not counting the registered redirect URI', () => {
    const long = { state: 'x'.repeat(2048), redirect_uri: 'x'.repeat(2000), nonce: 'x'.repeat(2048) };
    expect(() =>
      checkRequestSize({ ...long, claims: undefined, login_hint: 'x'.repeat(2048) }),
    ).not.toThrow();
    expect(() => checkRequestSize({ ...long, login_hint: 'x'.repeat(2049) })).toThrow('invalid_request');
  });
});
