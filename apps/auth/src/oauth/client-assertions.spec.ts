import { describe, expect, it } from '@jest/globals';
import { assertionProblem } from './client-assertions.js';

const now = 1_800_000_000;
const issuer = 'https://bank.example';
const claims = { exp: now + 60, iat: now, aud: issuer, jti: 'j1' };
const header = { alg: 'ES256', kid: 'k1' };
const problem = (
  change: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
): string | undefined => assertionProblem({ ...claims, ...change }, { ...header, ...more }, { issuer, now });

describe('client assertions (contract 4, RFC 7523)', () => {
  it('are valid for only one request, and only to this server', () => {
    expect(problem({})).toBeUndefined();
    expect(problem({ iat: undefined, exp: now + 360 })).toBeUndefined();
    expect(problem({ iat: now + 60 })).toBeUndefined();
    expect(problem({ iat: now - 60 })).toBeUndefined();
  });

  it.each<[string, Record<string, unknown>]>([
    ['an expiry too far in the future', { exp: now + 361 }],
    ['an expiry that is not a time', { exp: Number.POSITIVE_INFINITY }],
    ['an expiry that is a string', { exp: '1' }],
    ['an issue time in the future', { iat: now + 61 }],
    ['an issue time long ago', { iat: now - 61 }],
    ['an issue time that is not a number', { iat: 'now' }],
    ['a list as audience', { aud: [issuer] }],
    ['further audiences', { aud: [issuer, 'https://evil.example'] }],
    ['an endpoint as audience', { aud: `${issuer}/oauth2/token` }],
    ['an audience with a slash', { aud: `${issuer}/` }],
    ['an overlong id', { jti: 'x'.repeat(256) }],
    ['an id that is not a string', { jti: 7 }],
  ])('are refused with %s', (_name, change) => {
    expect(problem(change)).toEqual(expect.any(String));
  });

  it.each(['jku', 'jwk', 'x5u', 'x5c', 'crit', 'b64'])(
    'cannot supply the key for their own verification in the header parameter %s',
    (name) => {
      expect(problem({}, { [name]: 'https://evil.example/keys' })).toEqual(expect.any(String));
    },
  );
});
