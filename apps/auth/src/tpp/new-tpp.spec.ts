import { describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair } from 'jose';
import { isRedirectUri, newTpp } from './new-tpp.js';

const tpp = { name: 'Acme', redirectUris: ['https://acme.example/callback'], roles: ['PSP_AI'] };
const pathsOf = async (body: unknown): Promise<(string | undefined)[]> => {
  const checked = await newTpp(body);
  return 'failures' in checked ? checked.failures.map(({ path }) => path) : [];
};

describe('redirect URIs (contract 2, 4)', () => {
  it.each([
    'https://acme.example',
    'https://acme.example/cb?a=b',
    'https://acme.example:8443/cb',
    'http://127.0.0.1:8090/cb',
    'http://localhost:8090/cb',
    'http://[::1]:8090/cb',
  ])('may be %s', (uri) => expect(isRedirectUri(uri)).toBe(true));

  it.each([
    'http://acme.example/cb',
    'http://127.0.0.1.acme.example/cb',
    'http://0.0.0.0/cb',
    'https://acme.example/cb#',
    'https://acme.example/cb#x',
    'https://user@acme.example/cb',
    'https://user:pw@acme.example/cb',
    'https:acme.example/cb',
    'https:///acme.example/cb',
    'https://acme.example\\@evil.example/',
    'HTTPS://acme.example/cb',
    'https://ACME.example/cb',
    'https://acme.example/a b',
    'https://acme.example/\n',
    'https://acme.example/\u202ecb',
    'javascript:alert(1)',
    'data:text/html,x',
    'acme:/cb',
    '/cb',
    '',
    7,
    null,
  ])('may not be %j', (uri) => expect(isRedirectUri(uri)).toBe(false));
});

describe('registration of a TPP in the sandbox (contract 13)', () => {
  it('takes what is right', async () => {
    expect(await newTpp(tpp)).toEqual({ valid: tpp });
    const { publicKey } = await generateKeyPair('ES256');
    const jwks = { keys: [await exportJWK(publicKey)] };
    expect(await pathsOf({ ...tpp, jwks, tokenEndpointAuthMethod: 'private_key_jwt' })).toEqual([]);
  });

  it('tells every violation, in field order, with its path', async () => {
    expect(await pathsOf({})).toEqual(['name', 'redirectUris', 'roles']);
    expect(
      await pathsOf({ name: '', redirectUris: [], roles: ['X'], tokenEndpointAuthMethod: 'x', more: 1 }),
    ).toEqual(['name', 'redirectUris', 'roles', 'tokenEndpointAuthMethod', 'more']);
    expect(await pathsOf({ ...tpp, roles: ['PSP_AI', 'PSP_AI'] })).toEqual(['roles']);
    expect(await pathsOf({ ...tpp, name: 'a\u202eb' })).toEqual(['name']);
    for (const body of [null, [], 'x', 7]) expect(await pathsOf(body)).toEqual([undefined]);
  });

  it('takes public keys only, of the kinds that sign assertions', async () => {
    const byKey = { ...tpp, tokenEndpointAuthMethod: 'private_key_jwt' };
    expect(await pathsOf(byKey)).toEqual(['jwks']);
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const small = await generateKeyPair('ES384');
    for (const key of [
      await exportJWK(privateKey),
      await exportJWK(small.publicKey),
      { kty: 'oct', k: 'AA' },
      {},
      7,
    ])
      expect(await pathsOf({ ...byKey, jwks: { keys: [key] } })).toEqual(['jwks']);
  });
});
