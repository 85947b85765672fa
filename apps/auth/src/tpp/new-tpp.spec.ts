import { describe, expect, it } from '@jest/globals';
import { issueTestQwac, newSandboxAuthority } from '@xs2a/qwac/sandbox-authority';
import { readAnchors } from '@xs2a/qwac/trust-anchors';
import { exportJWK, generateKeyPair } from 'jose';
import type { Admission } from './tpp-certificate.js';
import { newTpp } from './new-tpp.js';

const sandbox = { isBank: false, clock: { nowMs: () => 0 } };
const tpp = { name: 'Acme', redirectUris: ['https://acme.example/callback'], roles: ['PSP_AI'] };
const listPaths = async (body: unknown): Promise<(string | undefined)[]> => {
  const checked = await newTpp(body, sandbox);
  return 'failures' in checked ? checked.failures.map(({ path }) => path) : [];
};

describe('TPP registration in the sandbox (contract 13)', () => {
  it('accepts a valid registration', async () => {
    expect(await newTpp(tpp, sandbox)).toEqual({ valid: tpp });
    const { publicKey } = await generateKeyPair('ES256');
    const jwks = { keys: [await exportJWK(publicKey)] };
    expect(await listPaths({ ...tpp, jwks, tokenEndpointAuthMethod: 'private_key_jwt' })).toEqual([]);
  });

  it('reports every violation, in field order, with its path', async () => {
    expect(await listPaths({})).toEqual(['name', 'redirectUris', 'roles']);
    expect(
      await listPaths({ name: '', redirectUris: [], roles: ['X'], tokenEndpointAuthMethod: 'x', more: 1 }),
    ).toEqual(['name', 'redirectUris', 'roles', 'tokenEndpointAuthMethod', 'more']);
    expect(await listPaths({ ...tpp, roles: ['PSP_AI', 'PSP_AI'] })).toEqual(['roles']);
    expect(await listPaths({ ...tpp, name: 'a\u202eb' })).toEqual(['name']);
    for (const body of [null, [], 'x', 7]) expect(await listPaths(body)).toEqual([undefined]);
  });

  it('treats a null member as absent, and rejects a member of the wrong type', async () => {
    const names = [
      'name',
      'redirectUris',
      'roles',
      'organizationIdentifier',
      'certificate',
      'jwks',
      'tokenEndpointAuthMethod',
    ];
    for (const wrong of [null, 7, {}, [[]], { toString: 1 }, [{ toString: 1 }]])
      for (const admission of [sandbox, { ...sandbox, isBank: true }]) {
        const checked = await newTpp(Object.fromEntries(names.map((name) => [name, wrong])), admission);
        expect('failures' in checked && checked.failures).toEqual(
          names.map((path) => expect.objectContaining({ failure: 'fieldMalformed', path })),
        );
      }
  });

  it.each(['constructor', '__proto__'])('treats %s as an unknown member', async (name) => {
    const body: unknown = JSON.parse(`{"${name}":{"name":"Acme"}}`);
    expect((await listPaths(body)).slice(0, 3)).toEqual(['name', 'redirectUris', 'roles']);
    expect(await newTpp(body, sandbox)).toMatchObject({
      failures: [{}, {}, {}, { failure: 'fieldUnknown' }],
    });
  });

  it('accepts only authentication methods that the profile allows, and applies this rule to the default method too', async () => {
    const fapi2 = { ...sandbox, authMethods: ['private_key_jwt', 'tls_client_auth'] as const };
    const pathsWith = async (method?: string): Promise<(string | undefined)[]> => {
      const checked = await newTpp(
        { ...tpp, organizationIdentifier: 'PSDBG-BNB-1', tokenEndpointAuthMethod: method },
        fapi2,
      );
      return 'failures' in checked ? checked.failures.map(({ path }) => path) : [];
    };
    expect(await pathsWith('tls_client_auth')).toEqual([]);
    for (const method of ['client_secret_basic', 'client_secret_post', 'none', undefined])
      expect([method, await pathsWith(method)]).toEqual([method, ['tokenEndpointAuthMethod']]);
  });

  it('accepts only public keys of the kinds that sign client assertions', async () => {
    const byKey = { ...tpp, tokenEndpointAuthMethod: 'private_key_jwt' };
    expect(await listPaths(byKey)).toEqual(['jwks']);
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const small = await generateKeyPair('ES384');
    for (const key of [
      await exportJWK(privateKey),
      await exportJWK(small.publicKey),
      { kty: 'oct', k: 'AA' },
      {},
      7,
    ])
      expect(await listPaths({ ...byKey, jwks: { keys: [key] } })).toEqual(['jwks']);
  });
});

describe('registration with a certificate (ETSI TS 119 495)', () => {
  const nowMs = Date.parse('2026-11-21T10:00:00Z');
  const clock = { nowMs: () => nowMs };
  const authority = newSandboxAuthority(nowMs);
  const anchors = readAnchors(authority.certificate);
  const issueCertificate = (days: number, signer = authority): string =>
    issueTestQwac(
      { name: 'Acme', organizationIdentifier: 'PSDBG-BNB-1', roles: ['PSP_AI', 'PSP_PI'], days },
      signer,
      nowMs,
    ).certificate;
  const listFailures = async (body: object, admission: Partial<Admission> = {}): Promise<string[]> => {
    const checked = await newTpp({ ...tpp, ...body }, { isBank: false, clock, anchors, ...admission });
    return 'failures' in checked ? checked.failures.map(({ path, text }) => `${path}: ${text}`) : [];
  };

  it('reads the organizationIdentifier from the certificate', async () => {
    const checked = await newTpp(
      { ...tpp, certificate: issueCertificate(30) },
      { isBank: true, clock, anchors },
    );
    expect(checked).toEqual({ valid: { ...tpp, organizationIdentifier: 'PSDBG-BNB-1' } });
  });

  it.each<[string, object, RegExp]>([
    [
      'of another organization',
      { certificate: issueCertificate(30), organizationIdentifier: 'PSDBG-BNB-2' },
      /names a different organizationIdentifier/,
    ],
    [
      'without a role',
      { certificate: issueCertificate(30), roles: ['PSP_AI', 'PSP_IC'] },
      /all of the roles/,
    ],
    ['that has expired', { certificate: issueCertificate(-1 / 48) }, /expired/],
    ['of a stranger', { certificate: issueCertificate(30, newSandboxAuthority(nowMs)) }, /authority/],
    ['that is not a certificate', { certificate: 'nonsense' }, /cannot be read/],
    [
      'that is not a certificate, in PEM',
      { certificate: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
      /read/,
    ],
    ['that is not a string', { certificate: 7 }, /cannot be read/],
  ])('refuses one %s', async (_name, body, text) => {
    expect(await listFailures(body)).toEqual([expect.stringMatching(text)]);
    expect((await listFailures(body))[0]).toMatch(/^certificate: /);
  });

  it('rejects a certificate if the bank trusts no certificate authority', async () => {
    expect(await listFailures({ certificate: issueCertificate(30) }, { anchors: undefined })).toHaveLength(1);
  });

  it('requires an organizationIdentifier outside the sandbox and for tls_client_auth, and public https redirect URIs outside the sandbox', async () => {
    const identified = { organizationIdentifier: 'PSDBG-BNB-1' };
    const loopback = { redirectUris: ['http://127.0.0.1:8090/cb'] };
    const byTls = { tokenEndpointAuthMethod: 'tls_client_auth' };
    expect(await listFailures({}, { isBank: true })).toEqual([
      expect.stringMatching(/^organizationIdentifier/),
    ]);
    expect(await listFailures(identified, { isBank: true })).toEqual([]);
    expect(await listFailures(byTls)).toEqual([expect.stringMatching(/^organizationIdentifier/)]);
    expect(await listFailures({ ...byTls, ...identified })).toEqual([]);
    expect(await listFailures({ ...byTls, certificate: issueCertificate(30) })).toEqual([]);
    expect(await listFailures({ ...identified, ...loopback })).toEqual([]);
    for (const redirectUris of [
      loopback.redirectUris,
      ['https://localhost:8443/cb'],
      ['https://127.0.0.1/cb'],
    ])
      expect(await listFailures({ ...identified, redirectUris }, { isBank: true })).toEqual([
        expect.stringMatching(/^redirectUris/),
      ]);
    expect(await listFailures({ organizationIdentifier: 'BG-1' })).toHaveLength(1);
  });
});
