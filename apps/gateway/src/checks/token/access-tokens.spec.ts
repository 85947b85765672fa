import { beforeAll, describe, expect, it } from '@jest/globals';
import type { FailureName } from '@xs2a/domain/failure/failures';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { createLogger } from '@xs2a/observability/logger';
import { Clock } from '@xs2a/runtime/clock';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { AccessTokens } from './access-tokens.js';
import { parseCredentials } from './credentials.js';
import { KeySet } from './key-set.js';

const issuer = 'https://bank.example';
const start = Date.parse('2026-11-20T10:00:00Z');
const logger = createLogger('gateway', 'silent');
let key: CryptoKey;
let jwk: JWK;

beforeAll(async () => {
  const pair = await generateKeyPair('ES256');
  key = pair.privateKey;
  jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k1' };
});

const setUp = (keys: () => readonly JWK[] | undefined = () => [jwk], minPauseMs = 60_000) => {
  let time = start;
  let fetched = 0;
  const clock = new Clock(true, () => time);
  const keySet = new KeySet({
    authUrl: 'http://auth.example',
    gatewaySecret: 'secret',
    issuer,
    logger,
    minPauseMs,
    fetch: async (url) => {
      if (url.endsWith('/.well-known/oauth-authorization-server')) return Response.json({ issuer });
      fetched += 1;
      const found = keys();
      if (found === undefined) throw new TypeError('fetch failed');
      return Response.json({ keys: found });
    },
  });
  return {
    tokens: new AccessTokens(keySet, clock, { BASE_URL: issuer }),
    keySet,
    fetches: () => fetched,
    pass: (ms: number) => {
      time += ms;
    },
  };
};

const claims = {
  client_id: 'tpp',
  jti: 't1',
  sub: 'ivan',
  scope: 'PSP_AI',
  grant_kind: 'user',
  consent_id: 'c',
  fresh: true,
};
const sign = async (
  extra: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  signer: CryptoKey = key,
): Promise<string> =>
  new SignJWT({ iss: issuer, aud: 'xs2a', iat: start / 1000, exp: start / 1000 + 300, ...claims, ...extra })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'k1', ...header })
    .sign(signer);
const catchFailure = async (check: () => unknown): Promise<FailureName | undefined> => {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error instanceof CallFailed ? error.failures[0]?.failure : 'internal';
  }
};

describe('the access token reader (contract 4, RFC 9068)', () => {
  it('reads the claims of a valid token', async () => {
    const { tokens } = setUp();
    expect(await tokens.check(await sign())).toEqual({
      clientId: 'tpp',
      grant: 'user',
      scopes: ['PSP_AI'],
      grantId: 't1',
      consentId: 'c',
      fresh: true,
      issuedAt: start / 1000,
      expiresAt: start + 300_000,
    });
  });

  it('accepts the alternative names of the accounts scope', async () => {
    const { tokens } = setUp();
    expect((await tokens.check(await sign({ scope: 'AIS:c PSP_IC' }))).scopes).toEqual(['PSP_AI', 'PSP_IC']);
    expect((await tokens.check(await sign({ scope: 'AISP' }))).scopes).toEqual(['PSP_AI']);
  });

  it('verifies the signature of a token once, and drops the token from the cache when it expires', async () => {
    const { tokens, pass } = setUp();
    const token = await sign();
    const verified = await tokens.check(token);
    expect(await tokens.check(token)).toBe(verified);
    pass(300_000);
    expect(await catchFailure(() => tokens.check(token))).toBe('tokenExpired');
    expect(await catchFailure(() => tokens.check(token))).toBe('tokenExpired');
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>, FailureName]>([
    ['of another issuer', { iss: 'https://other.example' }, {}, 'tokenUnknown'],
    ['for somebody else', { aud: 'other' }, {}, 'tokenUnknown'],
    ['of another type', {}, { typ: 'JWT' }, 'tokenUnknown'],
    ['without a type', {}, { typ: undefined }, 'tokenUnknown'],
    ['with an unknown key', {}, { kid: 'k2' }, 'tokenUnknown'],
    ['without a key', {}, { kid: undefined }, 'tokenUnknown'],
    ['without an expiry', { exp: undefined }, {}, 'tokenUnknown'],
    ['without a client', { client_id: undefined }, {}, 'tokenUnknown'],
    ['not yet valid', { nbf: start / 1000 + 60 }, {}, 'tokenUnknown'],
    ['past its end', { exp: start / 1000 }, {}, 'tokenExpired'],
    ['that has expired, of another issuer', { exp: 1, iss: 'https://other.example' }, {}, 'tokenUnknown'],
  ])('refuses a token %s', async (_name, extra, header, expected) => {
    const { tokens } = setUp();
    const token = await sign(extra, header);
    expect(await catchFailure(() => tokens.check(token))).toBe(expected);
  });

  it('rejects forged tokens: signed with another key or a shared secret, without a signature algorithm, or with altered text', async () => {
    const { tokens } = setUp();
    const token = await sign();
    const [header = '', payload = '', signature = ''] = token.split('.');
    const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { privateKey } = await generateKeyPair('ES256');
    const secret = new TextEncoder().encode(JSON.stringify(jwk));
    const forged = [
      await sign({}, {}, privateKey),
      `${encode({ alg: 'none', typ: 'at+jwt', kid: 'k1' })}.${payload}.`,
      await new SignJWT({ iss: issuer, aud: 'xs2a', ...claims })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: 'k1' })
        .setIssuedAt(start / 1000)
        .setExpirationTime(start / 1000 + 300)
        .sign(secret),
      `${header}.${encode({ ...claims, iss: issuer, aud: 'xs2a', sub: 'maria' })}.${signature}`,
      `${header}.${payload}.${signature.slice(2)}`,
      `${header}.${payload}`,
      'x'.repeat(5000),
      '..',
    ];
    for (const one of forged) expect(await catchFailure(() => tokens.check(one))).toBe('tokenUnknown');
  });

  it('fetches the keys once for many unknown key ids, and not again until the pause has ended', async () => {
    const { tokens, fetches } = setUp();
    const unknown = await sign({}, { kid: 'k2' });
    await Promise.all(Array.from({ length: 20 }, async () => catchFailure(() => tokens.check(unknown))));
    await catchFailure(() => tokens.check(unknown));
    expect(fetches()).toBe(1);
    expect(await catchFailure(async () => tokens.check(await sign()))).toBeUndefined();
  });

  it('does not report a token as unknown while no keys are loaded', async () => {
    const { tokens } = setUp(() => undefined);
    expect(await catchFailure(async () => tokens.check(await sign()))).toBe('dependencyDown');
    expect(await catchFailure(() => tokens.check('nonsense'))).toBe('tokenUnknown');
  });
});

describe('the gateway during key rotation (contract 4)', () => {
  it('does not report a key as unknown while the authorization server is down', async () => {
    const next = await generateKeyPair('ES256');
    let present = true;
    const { tokens } = setUp(() => (present ? [jwk] : undefined), 0);
    const known = await sign();
    await tokens.check(known);
    const ofNewKey = await sign({}, { kid: 'k2' }, next.privateKey);
    expect(await catchFailure(() => tokens.check(ofNewKey))).toBe('tokenUnknown');
    present = false;
    expect(await catchFailure(() => tokens.check(ofNewKey))).toBe('dependencyDown');
    await tokens.check(known);
    present = true;
    expect(await catchFailure(() => tokens.check(ofNewKey))).toBe('tokenUnknown');
  });

  it('accepts a new key without a restart, and invalidates the tokens of a withdrawn key', async () => {
    let published: JWK[] = [jwk];
    const { tokens, keySet } = setUp(() => published, 0);
    const old = await sign();
    const verified = await tokens.check(old);
    const pair = await generateKeyPair('ES256');
    const next = { ...(await exportJWK(pair.publicKey)), kid: 'k2' };
    published = [next, jwk];
    const young = await sign({ jti: 't2' }, { kid: 'k2' }, pair.privateKey);
    const newer = await tokens.check(young);
    expect(newer.grantId).toBe('t2');
    expect(await tokens.check(old)).toBe(verified);
    published = [next];
    expect(await keySet.find('unknown')).toBeUndefined();
    expect(await catchFailure(() => tokens.check(old))).toBe('tokenUnknown');
    expect(await tokens.check(young)).toBe(newer);
  });
});

describe('the Authorization header (RFC 6750, RFC 9449)', () => {
  it('may contain the token with either scheme, Bearer or DPoP', () => {
    expect(parseCredentials('Bearer a.b-c_d')).toEqual({ scheme: 'Bearer', token: 'a.b-c_d' });
    expect(parseCredentials('bearer  abc== ')).toEqual({ scheme: 'Bearer', token: 'abc==' });
    expect(parseCredentials('DPoP a.b')).toEqual({ scheme: 'DPoP', token: 'a.b' });
  });

  it.each<[string | undefined, FailureName]>([
    [undefined, 'tokenMissing'],
    ['', 'tokenMissing'],
    ['Basic dHBwOng=', 'tokenMissing'],
    ['abc', 'tokenMissing'],
    ['Bearer', 'tokenUnknown'],
    ['Bearer ', 'tokenUnknown'],
    ['Bearer a b', 'tokenUnknown'],
    ['Bearer a,b', 'tokenUnknown'],
    ['Bearer ключ', 'tokenUnknown'],
  ])('is refused if it is %j: %s', async (header, expected) => {
    expect(await catchFailure(() => parseCredentials(header))).toBe(expected);
  });
});
