import { describe, expect, it } from '@jest/globals';
import { assertionProblem } from './client-assertions.js';

const now = 1_800_000_000;
const claims = { exp: now + 60, iat: now, aud: 'https://bank.example', jti: 'j1' };
const header = { alg: 'ES256', kid: 'k1' };

describe('client assertions (contract 4, RFC 7523)', () => {
  it('are made for one request to this server', () => {
    expect(assertionProblem(claims, header, now)).toBeUndefined();
    expect(assertionProblem({ ...claims, aud: ['https://bank.example'] }, header, now)).toBeUndefined();
    expect(assertionProblem({ ...claims, iat: undefined, exp: now + 300 }, header, now)).toBeUndefined();
    expect(assertionProblem({ ...claims, iat: now + 15 }, header, now)).toBeUndefined();
  });

  it.each<[string, Record<string, unknown>]>([
    ['an end that is far away', { exp: now + 301 }],
    ['an end that is no time', { exp: Number.POSITIVE_INFINITY }],
    ['an end that is a text', { exp: '1' }],
    ['a beginning in the future', { iat: now + 16 }],
    ['a beginning that is no time', { iat: 'now' }],
    ['further audiences', { aud: ['https://bank.example', 'https://evil.example'] }],
    ['an id without end', { jti: 'x'.repeat(256) }],
    ['an id that is no text', { jti: 7 }],
  ])('are refused with %s', (_name, change) => {
    expect(assertionProblem({ ...claims, ...change }, header, now)).toEqual(expect.any(String));
  });

  it.each(['jku', 'jwk', 'x5u', 'x5c', 'crit', 'b64'])('bring no key of their own: %s', (name) => {
    expect(assertionProblem(claims, { ...header, [name]: 'https://evil.example/keys' }, now)).toEqual(
      expect.any(String),
    );
  });
});
