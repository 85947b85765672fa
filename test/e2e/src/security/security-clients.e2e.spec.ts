import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, parseJson, send } from '@xs2a/tpp-client/http';
import { createHmac, createPublicKey, randomUUID, type webcrypto } from 'node:crypto';
import { sandboxNow } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';

let world: World;
const counts: string[] = [];
const clientId = { own: '', other: '' };
let issuer = '';
/** How far the lane's sandbox clock is ahead of real time. */
let aheadMs = 0;
let own: KeyPair;
let other: KeyPair;

interface KeyPair {
  readonly privateKey: webcrypto.CryptoKey;
  readonly jwk: webcrypto.JsonWebKey;
}
type Claims = Record<string, unknown>;

beforeAll(async () => {
  world = await World.ofLane();
  aheadMs = Date.parse(await sandboxNow(world)) - Date.now();
  issuer = world.baseUrl;
  own = await newKeys();
  other = await newKeys();
  clientId.own = await register(own);
  clientId.other = await register(other);
});
afterAll(async () => {
  await world.stop();
  process.stderr.write(`security, clients: ${counts.join(' · ')}\n`);
});

const newKeys = async (): Promise<KeyPair> => {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]);
  return { privateKey: pair.privateKey, jwk: await crypto.subtle.exportKey('jwk', pair.publicKey) };
};
const register = async ({ jwk: { kty, crv, x, y } }: KeyPair): Promise<string> => {
  const json = {
    name: 'Key holder',
    redirectUris: ['https://tpp.example/callback'],
    roles: ['PSP_AI', 'PSP_PI', 'PSP_IC'],
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwks: { keys: [{ kty, crv, x, y, kid: 'one' }] },
  };
  const answer = await send('POST', `${world.baseUrl}/sandbox/tpps`, { json });
  return parseJson<{ clientId: string }>(answer).clientId;
};

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const es256 =
  ({ privateKey }: KeyPair) =>
  async (input: string): Promise<Buffer> =>
    Buffer.from(
      await crypto.subtle.sign(
        { name: 'ECDSA', hash: 'SHA-256' },
        privateKey,
        new TextEncoder().encode(input),
      ),
    );
const jwt = async (
  header: Claims,
  claims: Claims,
  signer: (input: string) => Promise<Buffer> | Buffer,
): Promise<string> => {
  const input = `${encoded(header)}.${encoded(claims)}`;
  return `${input}.${(await signer(input)).toString('base64url')}`;
};
const seconds = (): number => Math.floor((Date.now() + aheadMs) / 1000);
const makeClaims = (change: Claims = {}): Claims => ({
  iss: clientId.own,
  sub: clientId.own,
  aud: issuer,
  iat: seconds(),
  exp: seconds() + 60,
  jti: randomUUID(),
  ...change,
});
const assertion = async (change: Claims = {}, header: Claims = {}, keys = own): Promise<string> =>
  jwt({ alg: 'ES256', kid: 'one', ...header }, makeClaims(change), es256(keys));
const ask = async (client_assertion: string, change: Record<string, string> = {}): Promise<Answer> =>
  send('POST', `${issuer}/oauth2/token`, {
    form: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'PSP_AI',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion,
      ...change,
    }),
  });

describe('client assertions (RFC 7523, contract 4)', () => {
  it('authenticate a client to this issuer, even if the clocks differ by up to a minute', async () => {
    for (const change of [
      {},
      { iat: undefined },
      { iat: seconds() + 50, nbf: seconds() + 50, exp: seconds() + 110 },
      { iat: seconds() - 50, exp: seconds() + 10 },
    ])
      expect((await ask(await assertion(change))).status).toBe(200);
  });

  it('are refused if they are forged, expired, stolen, issued for another audience, or not limited to one request', async () => {
    const secret = JSON.stringify(own.jwk);
    const pem = createPublicKey({ key: { ...own.jwk }, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    });
    const hmac = (key: string | Buffer) => (input: string) =>
      createHmac('sha256', key).update(input).digest();
    const evil = 'https://evil.example/keys';
    const [head = '', body = ''] = (await assertion()).split('.');
    const attacks: (readonly [string, string])[] = [
      ['alg none', `${encoded({ alg: 'none' })}.${encoded(makeClaims())}.`],
      ['alg None', `${encoded({ alg: 'None' })}.${encoded(makeClaims())}.`],
      ['no signature', `${head}.${body}.`],
      ['HS256 with the public JWK', await jwt({ alg: 'HS256' }, makeClaims(), hmac(secret))],
      ['HS256 with the public PEM', await jwt({ alg: 'HS256', kid: 'one' }, makeClaims(), hmac(pem))],
      ['another algorithm', await jwt({ alg: 'ES384', kid: 'one' }, makeClaims(), es256(own))],
      ["another client's key", await assertion({}, {}, other)],
      ["another client's key under its own name", await assertion({ iss: clientId.other }, {}, other)],
      ['sub of another client', await assertion({ sub: clientId.other })],
      ['iss of another client', await assertion({ iss: clientId.other })],
      ['no iss', await assertion({ iss: undefined })],
      ['another audience', await assertion({ aud: 'https://other.example' })],
      ['the audience in another case', await assertion({ aud: issuer.toUpperCase() })],
      ['the token endpoint as audience', await assertion({ aud: `${issuer}/oauth2/token` })],
      ['a list as audience', await assertion({ aud: [issuer] })],
      ['several audiences', await assertion({ aud: [issuer, 'https://evil.example'] })],
      ['no audience', await assertion({ aud: undefined })],
      ['expired', await assertion({ iat: undefined, exp: seconds() - 70 })],
      ['made long ago', await assertion({ iat: seconds() - 70 })],
      ['no exp', await assertion({ exp: undefined })],
      ['exp without end', await assertion({ exp: seconds() + 3600 })],
      ['exp beyond every date', await assertion({ exp: 1e300 })],
      ['exp as a text', await assertion({ exp: String(seconds() + 60) })],
      ['from the future', await assertion({ iat: seconds() + 70 })],
      ['not valid yet', await assertion({ nbf: seconds() + 70 })],
      ['no jti', await assertion({ jti: undefined })],
      ['jti without end', await assertion({ jti: 'x'.repeat(300) })],
      ['jku', await assertion({}, { jku: evil, kid: 'theirs' }, other)],
      ['jku with the correct key', await assertion({}, { jku: evil })],
      ['x5u', await assertion({}, { x5u: evil })],
      ['an embedded key', await assertion({}, { jwk: other.jwk, kid: undefined }, other)],
      ['a kid with a path', await assertion({}, { kid: '../../../dev/null' }, other)],
      ['crit', await assertion({}, { crit: ['exp'] })],
      ['oversized', await assertion({ more: 'x'.repeat(9000) })],
      ['far oversized', await assertion({ more: 'x'.repeat(80_000) })],
      ['not a JWT', 'nonsense'],
      ['two assertions in one', `${await assertion()}.${await assertion()}`],
    ];
    const accepted: unknown[] = [];
    for (const [name, forged] of attacks) {
      const answer = await ask(forged);
      const error = String(parseJson(answer)['error']);
      if (![400, 401, 413].includes(answer.status) || !/^invalid_(?:client|request)$/.test(error))
        accepted.push([name, answer.status, answer.text]);
    }
    expect(accepted).toEqual([]);
    counts.push(`client assertion forgeries ${attacks.length + 4}`);
  });

  it('are accepted once, even if thirty arrive at the same time; a refused request uses up its assertion as well', async () => {
    const once = await assertion();
    const race = await Promise.all(Array.from({ length: 30 }, async () => ask(once)));
    expect(race.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = await assertion();
    expect((await ask(refused, { scope: 'PSP_IC' })).status).toBe(400);
    expect(parseJson(await ask(refused))['error']).toBe('invalid_client');
    const both = await ask(await assertion(), { client_id: clientId.other });
    expect(both.status).toBe(400);
    const bySecret = await send('POST', `${issuer}/oauth2/token`, {
      form: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId.own,
        client_secret: 'x',
      }),
    });
    expect([bySecret.status, parseJson(bySecret)['error']]).toEqual([401, 'invalid_client']);
  });
});

describe('DPoP at the token endpoint and at the API (RFC 9449; contract 4)', () => {
  const prove = async (change: Claims, header: Claims = {}, keys = own): Promise<string> => {
    const { kty, crv, x, y } = keys.jwk;
    const claims = { iat: seconds(), jti: randomUUID(), ...change };
    return jwt({ alg: 'ES256', typ: 'dpop+jwt', jwk: { kty, crv, x, y }, ...header }, claims, es256(keys));
  };
  const token = async (proof: string): Promise<Answer> =>
    send('POST', `${issuer}/oauth2/token`, {
      form: new URLSearchParams({ grant_type: 'client_credentials', scope: 'PSP_AI PSP_PI' }),
      headers: { dpop: proof, authorization: `Basic ${btoa('sandbox-tpp:sandbox-tpp-secret')}` },
    });
  const forToken = { htm: 'POST', htu: '' };
  const ath = async (text: string): Promise<string> =>
    Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toString('base64url');

  it('allows each proof once, and only for its method, URL, token and minute', async () => {
    forToken.htu = `${issuer}/oauth2/token`;
    const proof = await prove(forToken);
    const first = await token(proof);
    expect([first.status, parseJson(first)['token_type']]).toEqual([200, 'DPoP']);
    const access = String(parseJson(first)['access_token']);
    const [, payload = ''] = access.split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toHaveProperty('cnf.jkt');
    for (const apart of [-50, 10, 50])
      expect((await token(await prove({ ...forToken, iat: seconds() + apart }))).status).toBe(200);
    const atToken: (readonly [string, string])[] = [
      ['the same proof', proof],
      ['another URL', await prove({ ...forToken, htu: `${issuer}/oauth2/par` })],
      ['another host', await prove({ ...forToken, htu: 'https://evil.example/oauth2/token' })],
      ['another method', await prove({ ...forToken, htm: 'GET' })],
      ['an old proof', await prove({ ...forToken, iat: seconds() - 70 })],
      ['a proof to come', await prove({ ...forToken, iat: seconds() + 70 })],
      ['no jti', await prove({ ...forToken, jti: undefined })],
      ['no type', await prove(forToken, { typ: 'JWT' })],
      ['a key that did not sign', await prove(forToken, { jwk: other.jwk })],
      ['no signature', `${encoded({ alg: 'none', typ: 'dpop+jwt', jwk: own.jwk })}.${encoded(forToken)}.`],
      ['nonsense', 'nonsense'],
    ];
    for (const [name, forged] of atToken) {
      const answer = await token(forged);
      expect([name, answer.status, String(parseJson(answer)['error'])]).toEqual([
        name,
        400,
        'invalid_dpop_proof',
      ]);
    }
    const push = async (dpop: string): Promise<unknown> => {
      const answer = await send('POST', `${issuer}/oauth2/par`, {
        form: new URLSearchParams({
          client_id: 'sandbox-tpp',
          response_type: 'code',
          redirect_uri: 'http://127.0.0.1:8090/callback',
          scope: 'PSP_IC',
          state: 'x',
          code_challenge: 'x'.repeat(43),
          code_challenge_method: 'S256',
        }),
        headers: { dpop, authorization: `Basic ${btoa('sandbox-tpp:sandbox-tpp-secret')}` },
      });
      return [answer.status, parseJson(answer)['error']];
    };
    const pushed = await prove({ ...forToken, htu: `${issuer}/oauth2/par` });
    expect(await push(pushed)).toEqual([201, undefined]);
    expect(await push(pushed)).toEqual([400, 'invalid_dpop_proof']);
    const path = '/sandbox/clock';
    const call = async (dpop: string | undefined, scheme = 'DPoP'): Promise<Answer> =>
      send('GET', `${issuer}${path}`, {
        headers: { authorization: `${scheme} ${access}`, ...(dpop === undefined ? {} : { dpop }) },
      });
    const good = { htm: 'GET', htu: `${issuer}${path}`, ath: await ath(access) };
    const used = await prove(good);
    expect((await call(used)).status).toBe(200);
    const thirty = await prove(good);
    const race = await Promise.all(Array.from({ length: 30 }, async () => call(thirty)));
    expect(race.filter(({ status }) => status === 200)).toHaveLength(1);
    const atApi: (readonly [string, Answer])[] = [
      ['the same proof', await call(used)],
      ['no proof', await call(undefined)],
      ['as Bearer', await call(undefined, 'Bearer')],
      ['as Bearer with a proof', await call(await prove(good), 'Bearer')],
      ['the proof of the token endpoint', await call(await prove(forToken))],
      ['another path', await call(await prove({ ...good, htu: `${issuer}/v1/payments` }))],
      ['another origin', await call(await prove({ ...good, htu: `https://evil.example${path}` }))],
      ['another method', await call(await prove({ ...good, htm: 'POST' }))],
      ['another token', await call(await prove({ ...good, ath: await ath('other') }))],
      ['no token', await call(await prove({ ...good, ath: undefined }))],
      ['another key', await call(await prove(good, {}, other))],
      ['an old proof', await call(await prove({ ...good, iat: seconds() - 90 }))],
      ['two proofs', await call(`${await prove(good)}, ${await prove(good)}`)],
    ];
    for (const [name, { status, headers, text }] of atApi)
      expect([
        name,
        status,
        headers.get('www-authenticate')?.includes('DPoP'),
        text.includes('TOKEN_INVALID'),
      ]).toEqual([name, 401, true, true]);
    counts.push(`DPoP forgeries ${atToken.length + atApi.length} · proof races 1 × 30`);
  });
});
