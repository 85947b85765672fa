import { beforeAll, describe, expect, it } from '@jest/globals';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { Clock } from '@xs2a/runtime/clock';
import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { hash } from 'node:crypto';
import type { AccessToken } from './access-tokens.js';
import { DpopProofs, type Presented } from './dpop-proofs.js';

const origin = 'https://bank.example';
const now = Date.parse('2026-11-20T10:00:00Z') / 1000;
const url = '/v1/accounts?withBalance=true';
let key: CryptoKey;
let jwk: JWK;
let token: AccessToken;

beforeAll(async () => {
  const pair = await generateKeyPair('ES256', { extractable: true });
  key = pair.privateKey;
  jwk = await exportJWK(pair.publicKey);
  token = { ...unbound, boundTo: await calculateJwkThumbprint(jwk) };
});

const unbound: AccessToken = {
  clientId: 'tpp',
  grant: 'application',
  scopes: [],
  grantId: 'g',
  fresh: false,
  issuedAt: 0,
  expiresAt: 0,
};
const claims = (): Record<string, unknown> => ({
  htm: 'GET',
  htu: `${origin}/v1/accounts`,
  ath: hash('sha256', 'token', 'base64url'),
  iat: now,
  jti: 'j1',
});
const sign = async (
  change: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  signer = key,
): Promise<string> =>
  new SignJWT({ ...claims(), ...change })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header })
    .sign(signer);

const newProofs = (boundOnly = false): DpopProofs => {
  const used = new Set<string>();
  return new DpopProofs(
    new Clock(true, () => now * 1000),
    { isFirst: async (one) => !used.has(one) && used.add(one) !== undefined },
    { BASE_URL: origin, AUTH_PROFILE: boundOnly ? 'fapi2' : 'oauth2' },
  );
};
const problem = async (
  proof: string | undefined,
  presented: Partial<Presented> = {},
  held = token,
  proofs = newProofs(),
): Promise<string | undefined> => {
  try {
    await proofs.check(held, { scheme: 'DPoP', token: 'token', method: 'GET', url, proof, ...presented });
    return undefined;
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    const [{ failure, text } = { failure: 'internal' as const }] = error.failures;
    expect(failure).toBe('proofInvalid');
    return text;
  }
};

describe('unbound tokens (FAPI 2.0 Security Profile 5.3.4)', () => {
  const asBearer = (held: AccessToken, proofs: DpopProofs): Promise<string | undefined> =>
    problem(undefined, { scheme: 'Bearer' }, held, proofs);

  it('are accepted as Bearer, unless every token must be bound', async () => {
    expect(await asBearer(unbound, newProofs())).toBeUndefined();
    expect(await asBearer(unbound, newProofs(true))).toContain('not bound to a key or certificate');
    expect(await asBearer({ ...unbound, boundToCertificate: 'x' }, newProofs(true))).toBeUndefined();
    expect(await problem(await sign(), {}, token, newProofs(true))).toBeUndefined();
  });
});

describe('DPoP proofs at the API (contract 4, RFC 9449)', () => {
  it('prove possession of the key to which the token is bound, for the URL as sent', async () => {
    expect(await problem(await sign())).toBeUndefined();
    const bare = await sign({ htu: 'https://bank.example:443/accounts' });
    expect(await problem(bare, { url: '/accounts' })).toBeUndefined();
    expect(await problem(bare)).toContain('htu');
    const slashed = await sign({ htu: `${origin}/v1/accounts/` });
    expect(await problem(slashed, { url: '/v1/accounts/' })).toBeUndefined();
    expect(await problem(slashed, { url: '/v1/accounts' })).toContain('htu');
  });

  it('are not required for a token that is not bound to a key', async () => {
    expect(await problem(undefined, { scheme: 'Bearer' }, unbound)).toBeUndefined();
    expect(await problem(await sign(), {}, unbound)).toContain('not bound');
  });

  it('do not make a bound token valid as a Bearer token', async () => {
    expect(await problem(undefined, { scheme: 'Bearer' })).toContain('bound to a key');
    expect(await problem(await sign(), { scheme: 'Bearer' })).toContain('bound to a key');
    expect(await problem(undefined)).toContain('one proof');
  });

  it('can be used only once, even if everything else in the request changes', async () => {
    const proofs = newProofs();
    expect(await problem(await sign(), {}, token, proofs)).toBeUndefined();
    expect(await problem(await sign({ iat: now - 1 }), {}, token, proofs)).toContain('used before');
    expect(await problem(await sign({ jti: 'j2' }), {}, token, proofs)).toBeUndefined();
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>?]>([
    ['another method', { htm: 'POST' }],
    ['a method in lower case', { htm: 'get' }],
    ['another path', { htu: `${origin}/v1/consents` }],
    ['another host', { htu: 'https://evil.example/v1/accounts' }],
    ['the unencrypted scheme', { htu: 'http://bank.example/v1/accounts' }],
    ['no URL', { htu: undefined }],
    ['a path alone', { htu: '/v1/accounts' }],
    ['another token', { ath: hash('sha256', 'other', 'base64url') }],
    ['no token', { ath: undefined }],
    ['a time in the past', { iat: now - 61 }],
    ['a time in the future', { iat: now + 61 }],
    ['no time', { iat: undefined }],
    ['no id', { jti: undefined }],
    ['an empty id', { jti: '' }],
    ['an overlong id', { jti: 'x'.repeat(256) }],
    ['an id that is not a string', { jti: 7 }],
    ['another type', {}, { typ: 'JWT' }],
    ['no type', {}, { typ: undefined }],
    ['no key', {}, { jwk: undefined }],
    ['an overlong text', { more: 'x'.repeat(4096) }],
  ])('are refused with %s', async (_name, change, header = {}) => {
    expect(await problem(await sign(change, header))).toEqual(expect.any(String));
  });

  it('are checked like the first proof of a key when the key is remembered', async () => {
    const proofs = newProofs();
    const other = await generateKeyPair('ES256', { extractable: true });
    const otherJwk = await exportJWK(other.publicKey);
    const ofOther = { ...token, boundTo: await calculateJwkThumbprint(otherJwk) };
    const next = (() => {
      let number = 0;
      return async (header = {}, signer = key) => {
        number += 1;
        return sign({ jti: `n${number}` }, header, signer);
      };
    })();
    for (const _again of [1, 2]) {
      expect(await problem(await next(), {}, token, proofs)).toBeUndefined();
      expect(await problem(await next({}, other.privateKey), {}, token, proofs)).toContain('dpop+jwt');
      expect(await problem(await next(), {}, ofOther, proofs)).toContain('not signed with the key');
      expect(await problem(await next({ typ: 'JWT' }), {}, token, proofs)).toContain('dpop+jwt');
      const own = await next({ jwk: otherJwk }, other.privateKey);
      expect(await problem(own, {}, ofOther, proofs)).toBeUndefined();
      expect(await problem(own, {}, token, proofs)).toContain('not signed with the key');
    }
  });

  it('are rejected if they are signed with another key, signed with a shared secret, or not signed at all', async () => {
    const other = await generateKeyPair('ES256', { extractable: true });
    const otherJwk = await exportJWK(other.publicKey);
    expect(await problem(await sign({}, { jwk: otherJwk }, other.privateKey))).toContain(
      'not signed with the key',
    );
    expect(await problem(await sign({}, {}, other.privateKey))).toContain('dpop+jwt');
    const privateJwk = await exportJWK(key);
    expect(await problem(await sign({}, { jwk: privateJwk }))).toContain('dpop+jwt');
    const [, payload = ''] = (await sign()).split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'dpop+jwt', jwk })).toString('base64url');
    expect(await problem(`${none}.${payload}.`)).toContain('dpop+jwt');
    const secret = new TextEncoder().encode(JSON.stringify(jwk));
    const hmac = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', typ: 'dpop+jwt', jwk: { kty: 'oct' } })
      .sign(secret);
    expect(await problem(hmac)).toContain('dpop+jwt');
    expect(await problem('nonsense')).toContain('dpop+jwt');
  });
});
