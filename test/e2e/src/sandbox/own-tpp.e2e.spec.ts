import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { domesticPath, domesticPayment, listCodes, listPaths, sandboxNow } from '@xs2a/test-support/requests';
import { bodyOf } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import * as client from 'openid-client';

let world: World;
beforeAll(async () => {
  world = await World.ofLane();
});
afterAll(async () => world.stop());

interface Registration {
  readonly clientId: string;
  readonly redirectUris: readonly string[];
}
const added = 'https://second.example/callback';
const addUri = async (
  tpp: TppClient,
  token: string,
  redirectUri: unknown,
  clientSecret: unknown = tpp.credentials.clientSecret,
) => tpp.call('POST', '/sandbox/tpp/redirect-uris', token, { json: { redirectUri, clientSecret } });
const renew = async (tpp: TppClient, token: string, clientSecret: unknown = tpp.credentials.clientSecret) =>
  tpp.call('POST', '/sandbox/tpp/secret', token, { json: { clientSecret } });

describe('GET /sandbox/tpp (contract 13)', () => {
  it('returns the registration of the caller, without its secret', async () => {
    const tpp = await world.newTpp(['PSP_AI', 'PSP_PI']);
    const { clientId, clientSecret = '', redirectUri } = tpp.credentials;
    const answer = await tpp.call('GET', '/sandbox/tpp', await tpp.applicationToken());
    expect(bodyOf(answer, 200)).toEqual({
      clientId,
      name: 'New TPP',
      roles: ['PSP_AI', 'PSP_PI'],
      redirectUris: [redirectUri],
      tokenEndpointAuthMethod: 'client_secret_basic',
      status: 'active',
    });
    expect(answer.text).not.toContain(clientSecret);
  });

  it('returns the registration of a TPP of the fixtures to everybody who has its token', async () => {
    const tpp = world.tpp('sandbox-tpp-ai-only');
    const answer = await tpp.call('GET', '/sandbox/tpp', await tpp.applicationToken('PSP_AI'));
    expect(bodyOf(answer, 200)).toMatchObject({ clientId: 'sandbox-tpp-ai-only', roles: ['PSP_AI'] });
  });
});

describe('POST /sandbox/tpp/redirect-uris (contract 13)', () => {
  it('adds a URI that the API and the authorization server accept at once, and adds it once', async () => {
    const tpp = await world.newTpp(['PSP_PI', 'PSP_IC']);
    const token = await tpp.applicationToken('PSP_PI');
    const { accounts } = await world.person();
    const pay = async () =>
      tpp.call('POST', domesticPath, token, {
        json: domesticPayment(accounts[0]?.iban ?? ''),
        headers: { 'tpp-redirect-uri': added },
      });
    const { clientId, clientSecret } = tpp.credentials;
    const withUri = new TppClient(world.baseUrl, { ...tpp.credentials, redirectUri: added });
    const push = async () =>
      send('POST', `${world.baseUrl}/oauth2/par`, {
        form: new URL(withUri.authorizationRequest('PSP_IC').url).searchParams,
        headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      });
    expect(listPaths(await pay())).toEqual(['TPP-Redirect-URI']);
    expect((await push()).status).toBe(400);
    const redirectUris = [tpp.credentials.redirectUri, added];
    for (let time = 0; time < 2; time += 1)
      expect(bodyOf<Registration>(await addUri(tpp, token, added), 200)).toMatchObject({ redirectUris });
    expect((await pay()).status).toBe(201);
    expect((await push()).status).toBe(201);
    const read = await tpp.call('GET', '/sandbox/tpp', token);
    expect(bodyOf<Registration>(read, 200).redirectUris).toEqual(redirectUris);
  });

  it.each([
    ['http to a host that is not loopback', 'http://tpp.example/cb'],
    ['a private address', 'https://10.0.0.1/cb'],
    ['a fragment', 'https://tpp.example/cb#x'],
    ['no text', 7],
    ['nothing', undefined],
  ])('refuses %s as registration does', async (_what, redirectUri) => {
    const tpp = await world.newTpp(['PSP_AI']);
    const answer = await addUri(tpp, await tpp.applicationToken('PSP_AI'), redirectUri);
    expect([answer.status, listCodes(answer), listPaths(answer)]).toEqual([
      400,
      ['FORMAT_ERROR'],
      ['redirectUri'],
    ]);
  });

  it('refuses a 21st URI', async () => {
    const tpp = await world.newTpp(['PSP_AI']);
    const token = await tpp.applicationToken('PSP_AI');
    for (let number = 2; number <= 20; number += 1)
      expect((await addUri(tpp, token, `${added}/${number}`)).status).toBe(200);
    const answer = await addUri(tpp, token, `${added}/21`);
    expect([answer.status, listPaths(answer)]).toEqual([400, ['redirectUri']]);
    expect((await addUri(tpp, token, `${added}/20`)).status).toBe(200);
  });
});

describe('POST /sandbox/tpp/secret (contract 13)', () => {
  it('replaces the secret: the old one ends at once, the token stays valid', async () => {
    const tpp = await world.newTpp(['PSP_AI']);
    const token = await tpp.applicationToken('PSP_AI');
    const { clientSecret } = bodyOf<{ clientSecret: string }>(await renew(tpp, token), 200);
    const withNew = new TppClient(world.baseUrl, { ...tpp.credentials, clientSecret });
    const grant = { grant_type: 'client_credentials', scope: 'PSP_AI' };
    expect((await tpp.tokenRequest(grant)).status).toBe(401);
    expect((await withNew.tokenRequest(grant)).status).toBe(200);
    expect((await tpp.call('GET', '/sandbox/tpp', token)).status).toBe(200);
  });

  it('returns the same new secret to a repeat with the same Idempotency-Key, also if the first answer was lost', async () => {
    const tpp = await world.newTpp(['PSP_AI']);
    const token = await tpp.applicationToken('PSP_AI');
    const { clientSecret: present = '' } = tpp.credentials;
    const renewAs = async (key: string, sent: { json: object } | { raw: string }) =>
      tpp.call('POST', '/sandbox/tpp/secret', token, {
        ...sent,
        headers: { 'idempotency-key': key, 'content-type': 'application/json' },
      });
    const json = { clientSecret: present };
    expect(listPaths(await renewAs('one', { json: { clientSecret: 'another' } }))).toEqual(['clientSecret']);
    expect((await renewAs('one', { raw: '{' })).status).toBe(400);
    const first = bodyOf<{ clientSecret: string }>(await renewAs('one', { json }), 200);
    const repeats = await Promise.all([1, 2, 3].map(async () => renewAs('one', { json })));
    for (const repeat of repeats) expect(bodyOf(repeat, 200)).toEqual(first);
    const withNew = new TppClient(world.baseUrl, { ...tpp.credentials, ...first });
    expect(await withNew.applicationToken('PSP_AI')).toEqual(expect.any(String));
    for (const other of [{ json: first }, { raw: '{' }]) {
      const reused = await renewAs('one', other);
      expect([reused.status, listCodes(reused)]).toEqual([409, ['STATUS_INVALID']]);
    }
    const otherToken = await withNew.applicationToken('PSP_AI');
    const ofThief = await tpp.call('POST', '/sandbox/tpp/secret', otherToken, {
      json,
      headers: { 'idempotency-key': 'one' },
    });
    expect([ofThief.status, listCodes(ofThief)]).toEqual([409, ['STATUS_INVALID']]);
    const second = await renewAs('two', { json });
    expect([second.status, listPaths(second)]).toEqual([400, ['clientSecret']]);
  });

  it('returns a new secret to exactly one of five parallel calls', async () => {
    const tpp = await world.newTpp(['PSP_AI']);
    const token = await tpp.applicationToken('PSP_AI');
    const answers = await Promise.all([1, 2, 3, 4, 5].map(async () => renew(tpp, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  });

  it('returns 400 without the present secret, as adding a redirect URI does: a leaked token is not enough', async () => {
    const tpp = await world.newTpp(['PSP_AI']);
    const token = await tpp.applicationToken('PSP_AI');
    for (const secret of ['', 'another', 7, null]) {
      for (const answer of [await renew(tpp, token, secret), await addUri(tpp, token, added, secret)])
        expect([answer.status, listPaths(answer)]).toEqual([400, ['clientSecret']]);
    }
    const none = await tpp.call('POST', '/sandbox/tpp/secret', token, { json: {} });
    expect([none.status, listPaths(none)]).toEqual([400, ['clientSecret']]);
    const grant = { grant_type: 'client_credentials', scope: 'PSP_AI' };
    expect((await tpp.tokenRequest(grant)).status).toBe(200);
    const read = await tpp.call('GET', '/sandbox/tpp', token);
    expect(bodyOf<Registration>(read, 200).redirectUris).toEqual([tpp.credentials.redirectUri]);
  });
});

describe('a TPP that authenticates with a key (contract 13)', () => {
  /** Registers a TPP with a public key, and returns an OAuth client that authenticates with the private key. */
  const registerWithKey = async () => {
    const { publicKey, privateKey } = await client.randomDPoPKeyPair('ES256');
    const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
    const jwks = { keys: [{ kty, crv, x, y, kid: 'one' }] };
    const method = { tokenEndpointAuthMethod: 'private_key_jwt', jwks };
    const json = { name: 'Keys', redirectUris: [added], roles: ['PSP_AI'], ...method };
    const { clientId } = parseJson<Registration>(
      await send('POST', `${world.baseUrl}/sandbox/tpps`, { json }),
    );
    const aheadMs = Date.parse(await sandboxNow(world)) - Date.now();
    const configuration = await client.discovery(
      new URL(world.baseUrl),
      clientId,
      { [client.clockSkew]: Math.round(aheadMs / 1000) },
      client.PrivateKeyJwt({ key: privateKey, kid: 'one' }),
      { algorithm: 'oauth2', execute: [client.allowInsecureRequests] },
    );
    return { clientId, configuration, method };
  };

  it('obtains neither a secret nor a redirect URI with an unbound token, also if the body is unreadable', async () => {
    const { clientId, configuration, method } = await registerWithKey();
    const { access_token: token } = await client.clientCredentialsGrant(configuration, { scope: 'PSP_AI' });
    const tpp = world.tpp();
    expect(bodyOf(await tpp.call('GET', '/sandbox/tpp', token), 200)).toMatchObject({ clientId, ...method });
    const unreadable = { raw: '{', headers: { 'content-type': 'application/json' } };
    for (const answer of [
      await renew(tpp, token),
      await tpp.call('POST', '/sandbox/tpp/secret', token, unreadable),
    ])
      expect([answer.status, listCodes(answer)]).toEqual([409, ['STATUS_INVALID']]);
    for (const answer of [
      await addUri(tpp, token, added),
      await tpp.call('POST', '/sandbox/tpp/redirect-uris', token, unreadable),
    ])
      expect([answer.status, listCodes(answer)]).toEqual([401, ['TOKEN_INVALID']]);
  });

  it('adds a redirect URI to its registration with an access token that is bound to the key (DPoP)', async () => {
    const { configuration } = await registerWithKey();
    const DPoP = client.getDPoPHandle(configuration, await client.randomDPoPKeyPair('ES256'));
    const { access_token: token } = await client.clientCredentialsGrant(
      configuration,
      { scope: 'PSP_AI' },
      { DPoP },
    );
    const second = `${added}/bound`;
    const answer = await client.fetchProtectedResource(
      configuration,
      token,
      new URL(`${world.baseUrl}/sandbox/tpp/redirect-uris`),
      'POST',
      JSON.stringify({ redirectUri: second }),
      new Headers({ 'content-type': 'application/json' }),
      { DPoP },
    );
    expect(answer.status).toBe(200);
    expect(((await answer.json()) as Registration).redirectUris).toEqual([added, second]);
  });
});

describe('the TPPs of the fixtures (contract 13)', () => {
  it('keep their redirect URIs and secrets, because they belong to everybody: 403 SERVICE_BLOCKED, before the body', async () => {
    const tpp = world.tpp('sandbox-tpp-2');
    const token = await tpp.applicationToken();
    const before = bodyOf(await tpp.call('GET', '/sandbox/tpp', token), 200);
    const refused = [
      await addUri(tpp, token, added),
      await addUri(tpp, token, 7),
      await tpp.call('POST', '/sandbox/tpp/redirect-uris', token, {
        raw: '{',
        headers: { 'content-type': 'application/json' },
      }),
      await renew(tpp, token),
    ];
    for (const answer of refused)
      expect([answer.status, listCodes(answer)]).toEqual([403, ['SERVICE_BLOCKED']]);
    expect(bodyOf(await tpp.call('GET', '/sandbox/tpp', token), 200)).toEqual(before);
    expect(await world.tpp('sandbox-tpp-2').applicationToken()).toEqual(expect.any(String));
  });
});
