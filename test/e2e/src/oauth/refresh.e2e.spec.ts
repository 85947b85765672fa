import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { Tokens, TppClient } from '@xs2a/tpp-client/tpp-client';
import * as client from 'openid-client';
import { authorised, consentBody, consented, dayFrom, sandboxNow, until } from '@xs2a/test-support/requests';
import { homeCurrency } from '@xs2a/test-support/home';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

const redirectUri = 'https://tpp.example/callback';
const funds = { json: { instructedAmount: { currency: homeCurrency, amount: '1.00' } } };
const present = { headers: { 'psu-ip-address': '198.51.100.7' } };
let world: World;
let tpp: TppClient;
let psu: FreshPsu;

beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
  psu = await world.person('1000.00');
});
afterAll(async () => world.stop());

/** Returns the first refresh token of a new token family. */
const newFamily = async (): Promise<string> => toRefresh(await authorised(world, tpp, psu, 'PSP_IC'));
const toRefresh = ({ refresh_token: token }: { refresh_token?: string }): string => token ?? '';
const refusal = async (token: string, by = tpp): Promise<unknown> => {
  const answer = await by.tokenRequest({ grant_type: 'refresh_token', refresh_token: token });
  return [answer.status, parseJson(answer)['error']];
};
const invalidGrant = [400, 'invalid_grant'];
const ask = async (token: string): Promise<number> =>
  (await tpp.call('POST', '/v1/funds-confirmations', token, funds)).status;
const becomesDead = async (accessToken: string): Promise<unknown> =>
  until(
    async () => ask(accessToken),
    (status) => status === 401,
    5,
  );

describe('a repeated refresh token (contract 4)', () => {
  it('returns a separate token pair for each of 20 concurrent redemptions, and all pairs work', async () => {
    const token = await newFamily();
    const pairs = await Promise.all(Array.from({ length: 20 }, async () => tpp.refresh(token)));
    expect(new Set(pairs.map(toRefresh)).size).toBe(20);
    for (const pair of pairs) expect(await ask(pair.access_token)).toBe(200);
    const next = await Promise.all(pairs.map(async (pair) => tpp.refresh(toRefresh(pair))));
    expect(new Set(next.map(toRefresh)).size).toBe(20);
  });

  it('returns a new pair within 60 s of its first use without revoking anything; each new token has its own 60 s', async () => {
    const token = await newFamily();
    const lost = await tpp.refresh(token);
    await world.advance('PT31S');
    const second = await tpp.refresh(token);
    await tpp.refresh(toRefresh(second));
    await world.advance('PT31S');
    // The repeat window of the first token has ended; those of the others are still open or have not started.
    const third = await tpp.refresh(toRefresh(second));
    expect([await ask(lost.access_token), await ask(third.access_token)]).toEqual([200, 200]);
    await tpp.refresh(toRefresh(lost));
  });

  it('counts as reuse after 60 s, and revokes every token of the family, including the pairs returned for repeats', async () => {
    const token = await newFamily();
    const first = await tpp.refresh(token);
    const repeat = await tpp.refresh(token);
    expect([await ask(first.access_token), await ask(repeat.access_token)]).toEqual([200, 200]);
    await world.advance('PT61S');
    expect(await refusal(token)).toEqual(invalidGrant);
    for (const pair of [first, repeat]) {
      expect(await refusal(toRefresh(pair))).toEqual(invalidGrant);
      await becomesDead(pair.access_token);
    }
  });

  it('does not extend the lifetime of the family', async () => {
    const token = await newFamily();
    await world.advance('PT23H');
    const first = await tpp.refresh(token);
    const repeat = await tpp.refresh(token);
    const life = (pair: Tokens): number => Number(Reflect.get(pair, 'refresh_token_expires_in'));
    expect([life(first) <= 3600, life(repeat) <= life(first)]).toEqual([true, true]);
    await world.advance('PT1H');
    for (const one of [token, toRefresh(first), toRefresh(repeat)])
      expect(await refusal(one)).toEqual(invalidGrant);
  });

  it('is useless to another client, and a request by that client revokes nothing', async () => {
    const token = await newFamily();
    const first = await tpp.refresh(token);
    expect(await refusal(token, world.tpp('sandbox-tpp-2'))).toEqual(invalidGrant);
    expect(await ask(first.access_token)).toBe(200);
    await tpp.refresh(token);
  });

  it('is refused immediately with invalid_grant if the consent was withdrawn or the grant was revoked after the first use', async () => {
    const ibans = psu.accounts.map(({ iban }) => iban);
    const body = consentBody(ibans, dayFrom(await sandboxNow(world), 30));
    const { consentId, tokens } = await consented(world, tpp, psu, body);
    const pair = await tpp.refresh(toRefresh(tokens));
    expect((await tpp.call('GET', '/v1/accounts', pair.access_token, present)).status).toBe(200);
    const deleted = await tpp.call('DELETE', `/v1/consents/${consentId}`, await tpp.applicationToken());
    expect(deleted.status).toBe(204);
    expect(await refusal(toRefresh(tokens))).toEqual(invalidGrant);

    const token = await newFamily();
    const first = await tpp.refresh(token);
    const { clientId, clientSecret = '' } = tpp.credentials;
    const form = new URLSearchParams({
      token: toRefresh(first),
      client_id: clientId,
      client_secret: clientSecret,
    });
    expect((await send('POST', `${world.baseUrl}/oauth2/revoke`, { form })).status).toBe(200);
    expect(await refusal(token)).toEqual(invalidGrant);
  });
});

describe('a repeated refresh token of a public client (RFC 9700, 4.14; contract 4)', () => {
  const discover = async (): Promise<client.Configuration> => {
    const json = {
      name: 'Public',
      redirectUris: [redirectUri],
      roles: ['PSP_IC'],
      tokenEndpointAuthMethod: 'none',
    };
    const answer = await send('POST', `${world.baseUrl}/sandbox/tpps`, { json });
    const { clientId } = parseJson<{ clientId: string }>(answer);
    // The clock of the lane may be months ahead of the library's clock.
    const aheadMs = Date.parse(await sandboxNow(world)) - Date.now();
    const metadata = { redirect_uris: [redirectUri], [client.clockSkew]: Math.round(aheadMs / 1000) };
    return client.discovery(new URL(world.baseUrl), clientId, metadata, client.None(), {
      algorithm: 'oauth2',
      execute: [client.allowInsecureRequests],
    });
  };
  const newHandle = async (config: client.Configuration): Promise<client.DPoPHandle> =>
    client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
  const granted = async (config: client.Configuration, options: client.DPoPOptions): Promise<string> => {
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'PSP_IC',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const browser = world.browser();
    await walkAndApprove(browser, url.href, psu);
    const back = new URL(browser.leftTo ?? 'https://nowhere.invalid');
    return toRefresh(
      await client.authorizationCodeGrant(config, back, { pkceCodeVerifier }, undefined, options),
    );
  };
  const refresh = async (
    config: client.Configuration,
    token: string,
    options: client.DPoPOptions = {},
  ): Promise<string> =>
    client
      .refreshTokenGrant(config, token, undefined, options)
      .then(toRefresh, (error: unknown) =>
        error instanceof client.ResponseBodyError ? error.error : String(error),
      );

  it('returns a new pair with the same DPoP key; with another key or none, it is refused with invalid_grant and revokes nothing', async () => {
    const config = await discover();
    const DPoP = await newHandle(config);
    const token = await granted(config, { DPoP });
    const first = await refresh(config, token, { DPoP });
    const thief = await newHandle(config);
    expect(await refresh(config, token, { DPoP: thief })).toBe('invalid_grant');
    expect(await refresh(config, token)).toBe('invalid_grant');
    const repeat = await refresh(config, token, { DPoP });
    expect(new Set([token, first, repeat, 'invalid_grant']).size).toBe(4);
    expect(await refresh(config, first, { DPoP })).not.toBe('invalid_grant');
  });

  it('counts as reuse immediately if no key is bound: at most one of 20 redemptions succeeds, and the family is revoked', async () => {
    const config = await discover();
    const token = await granted(config, {});
    const next = await refresh(config, token);
    expect(next).not.toBe('invalid_grant');
    expect(await refresh(config, token)).toBe('invalid_grant');
    expect(await refresh(config, next)).toBe('invalid_grant');
    const raced = await granted(config, {});
    const race = await Promise.all(Array.from({ length: 20 }, async () => refresh(config, raced)));
    expect(race.filter((outcome) => outcome !== 'invalid_grant')).toHaveLength(1);
  });
});
