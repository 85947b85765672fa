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
const addUri = async (tpp: TppClient, token: string, redirectUri: unknown) =>
  tpp.call('POST', '/sandbox/tpp/redirect-uris', token, { json: { redirectUri } });
const renewed = async (tpp: TppClient, token: string): Promise<TppClient> => {
  const answer = await tpp.call('POST', '/sandbox/tpp/secret', token);
  const { clientSecret } = bodyOf<{ clientSecret: string }>(answer, 200);
  return new TppClient(world.baseUrl, { ...tpp.credentials, clientSecret });
};

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
    const withNew = await renewed(tpp, token);
    const grant = { grant_type: 'client_credentials', scope: 'PSP_AI' };
    expect((await tpp.tokenRequest(grant)).status).toBe(401);
    expect((await withNew.tokenRequest(grant)).status).toBe(200);
    expect((await tpp.call('GET', '/sandbox/tpp', token)).status).toBe(200);
  });

  it('leaves exactly one of the secrets of parallel calls valid', async () => {
    const tpp = await world.newTpp(['PSP_AI']);
    const token = await tpp.applicationToken('PSP_AI');
    const clients = await Promise.all([1, 2, 3, 4, 5].map(async () => renewed(tpp, token)));
    const answers = await Promise.all(
      clients.map(async (one) => one.tokenRequest({ grant_type: 'client_credentials', scope: 'PSP_AI' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });

  it('is 409 STATUS_INVALID for a TPP that authenticates with a key, whose public key is in its registration', async () => {
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
    const { access_token: token } = await client.clientCredentialsGrant(configuration, { scope: 'PSP_AI' });
    const tpp = world.tpp();
    expect(bodyOf(await tpp.call('GET', '/sandbox/tpp', token), 200)).toMatchObject({ clientId, ...method });
    const answer = await tpp.call('POST', '/sandbox/tpp/secret', token);
    expect([answer.status, listCodes(answer)]).toEqual([409, ['STATUS_INVALID']]);
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
      await tpp.call('POST', '/sandbox/tpp/secret', token),
    ];
    for (const answer of refused)
      expect([answer.status, listCodes(answer)]).toEqual([403, ['SERVICE_BLOCKED']]);
    expect(bodyOf(await tpp.call('GET', '/sandbox/tpp', token), 200)).toEqual(before);
    expect(await world.tpp('sandbox-tpp-2').applicationToken()).toEqual(expect.any(String));
  });
});
