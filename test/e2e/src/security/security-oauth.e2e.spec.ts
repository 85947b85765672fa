import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, parseJson, send } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { AuthorizationRequest, Tokens, TppClient } from '@xs2a/tpp-client/tpp-client';
import { createHash } from 'node:crypto';
import { consentBody, consented, dayFrom, sandboxNow, until } from '@xs2a/test-support/requests';
import { homeCurrency } from '@xs2a/test-support/home';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let psu: FreshPsu;
const counts: string[] = [];

beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
  psu = await world.person('1000.00');
});
afterAll(async () => {
  await world.stop();
  process.stderr.write(`security, OAuth: ${counts.join(' · ')}\n`);
});

interface Issued {
  readonly request: AuthorizationRequest;
  readonly code: string;
}
const newCode = async (change: (url: URL) => void = () => undefined): Promise<Issued> => {
  const request = tpp.authorizationRequest('PSP_IC');
  const url = new URL(request.url);
  change(url);
  const browser = world.browser();
  await walkAndApprove(browser, url.href, psu);
  return { request, code: tpp.parseCode(browser.leftTo, request) };
};
const redemption = (
  { code, request }: Issued,
  change: Record<string, string> = {},
): Record<string, string> => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: tpp.credentials.redirectUri,
  code_verifier: request.verifier,
  ...change,
});
const without = (form: Record<string, string>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(form).filter(([key]) => key !== name));
const verdict = (answer: Answer): unknown => [answer.status, parseJson(answer)['error']];
const invalidGrant = [400, 'invalid_grant'];
const errorAt = async (
  change: (url: URL) => void,
  scope = 'PSP_IC',
  consentId?: string,
): Promise<unknown> => {
  const url = new URL(tpp.authorizationRequest(scope, consentId).url);
  change(url);
  const browser = world.browser();
  const { status } = await browser.open(url.href);
  const left = new URL(browser.leftTo ?? 'http://nowhere.invalid').searchParams;
  expect([left.get('code'), browser.leftTo?.includes('#') ?? false]).toEqual([null, false]);
  return left.get('error') ?? status;
};
const ask = async (token: string): Promise<number> =>
  (
    await tpp.call('POST', '/v1/funds-confirmations', token, {
      json: { instructedAmount: { currency: homeCurrency, amount: '1.00' } },
    })
  ).status;

describe('an authorization code (RFC 7636, RFC 9700)', () => {
  it('is useless without its verifier, redirect URI and client, and is not used up by refused requests', async () => {
    const issued = await newCode();
    const other = await newCode();
    const challenge = createHash('sha256').update(issued.request.verifier).digest('base64url');
    const { redirectUri } = tpp.credentials;
    const injections: (readonly [string, Record<string, string>])[] = [
      ['no verifier', without(redemption(issued), 'code_verifier')],
      ['an empty verifier', redemption(issued, { code_verifier: '' })],
      ['a wrong verifier', redemption(issued, { code_verifier: 'x'.repeat(43) })],
      ['a verifier that is too short', redemption(issued, { code_verifier: 'x' })],
      ['the challenge for the verifier', redemption(issued, { code_verifier: challenge })],
      ["another request's verifier", redemption(issued, { code_verifier: other.request.verifier })],
      ["another request's code", redemption(issued, { code: other.code })],
      ['no redirect URI', without(redemption(issued), 'redirect_uri')],
      ['a longer redirect URI', redemption(issued, { redirect_uri: `${redirectUri}/` })],
      ['another registered URI', redemption(issued, { redirect_uri: 'http://localhost:8090/callback' })],
      ['a code that goes on', redemption(issued, { code: `${issued.code}x` })],
      ['a made-up code', redemption(issued, { code: 'x'.repeat(43) })],
      ['the code as a refresh token', { grant_type: 'refresh_token', refresh_token: issued.code }],
    ];
    for (const [name, form] of injections) {
      const answer = await tpp.tokenRequest(form);
      const error = String(parseJson(answer)['error']);
      expect([name, answer.status, /^invalid_(?:grant|request)$/.test(error)]).toEqual([name, 400, true]);
    }
    const stranger = world.tpp('sandbox-tpp-2');
    expect(verdict(await stranger.tokenRequest(redemption(issued)))).toEqual(invalidGrant);
    counts.push(`code injections ${injections.length + 1}`);
    expect((await tpp.tokenRequest(redemption(issued))).status).toBe(200);
  });

  it('cannot be redeemed by bypassing PKCE', async () => {
    for (const change of [
      (url: URL) => url.searchParams.set('code_challenge_method', 'plain'),
      (url: URL) => url.searchParams.set('code_challenge_method', 'S512'),
      (url: URL) => url.searchParams.delete('code_challenge_method'),
      (url: URL) => url.searchParams.set('code_challenge', 'x'),
      (url: URL) => url.searchParams.append('code_challenge', 'x'.repeat(43)),
    ])
      expect(await errorAt(change)).toBe('invalid_request');
    // A confidential client may omit PKCE. If it then sends a verifier without a challenge, the request is
    // refused, and the verifier is not ignored.
    const plain = await newCode((url) => {
      url.searchParams.delete('code_challenge');
      url.searchParams.delete('code_challenge_method');
    });
    expect(verdict(await tpp.tokenRequest(redemption(plain)))).toEqual(invalidGrant);
    counts.push('PKCE downgrades 6');
  });

  it('expires after 60 s', async () => {
    const issued = await newCode();
    await world.advance('PT61S');
    expect(verdict(await tpp.tokenRequest(redemption(issued)))).toEqual(invalidGrant);
  });

  it('causes its tokens to be revoked if it is used again', async () => {
    const issued = await newCode();
    const tokens = parseJson<Tokens & Record<string, unknown>>(await tpp.tokenRequest(redemption(issued)));
    expect(await ask(tokens.access_token)).toBe(200);
    expect(verdict(await tpp.tokenRequest(redemption(issued)))).toEqual(invalidGrant);
    await until(
      () => ask(tokens.access_token),
      (status) => status === 401,
      2,
    );
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' };
    expect(verdict(await tpp.tokenRequest(refresh))).toEqual(invalidGrant);
  });
});

describe('scopes (contract 4)', () => {
  it('never exceed the roles of the TPP, the grant type and the consent', async () => {
    const ibans = psu.accounts.map(({ iban }) => iban);
    const consentUntil = dayFrom(await sandboxNow(world), 30);
    const { consentId, tokens } = await consented(world, tpp, psu, consentBody(ibans, consentUntil));
    const application = async (scope: string): Promise<unknown> =>
      verdict(await tpp.tokenRequest({ grant_type: 'client_credentials', scope }));
    for (const scope of [
      'PSP_IC',
      'PSP_AI PSP_IC',
      `AIS:${consentId}`,
      'AISP',
      'openid',
      'offline_access',
      'PSP_AI admin',
    ])
      expect([scope, await application(scope)]).toEqual([scope, [400, 'invalid_scope']]);
    const aiOnly = world.tpp('sandbox-tpp-ai-only');
    const more = await aiOnly.tokenRequest({ grant_type: 'client_credentials', scope: 'PSP_AI PSP_PI' });
    expect(verdict(more)).toEqual([400, 'invalid_scope']);
    for (const scope of ['PSP_PI', 'PSP_IC', 'PSP_AI PSP_PI', 'PSP_AI PSP_IC openid']) {
      const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '', scope };
      expect([scope, verdict(await tpp.tokenRequest(refresh))]).toEqual([scope, [400, 'invalid_scope']]);
    }
    for (const scope of ['PSP_PI', 'PSP_AI PSP_IC', 'PSP_AI PSP_PI', 'openid'])
      expect([scope, await errorAt(() => undefined, scope, consentId)]).toEqual([scope, 'invalid_scope']);
    expect(await errorAt(() => undefined, 'PSP_IC', consentId)).toBe('invalid_request');
    expect(await errorAt((url) => url.searchParams.append('scope', 'PSP_PI'))).toBe('invalid_request');
    const elsewhere = await tpp.tokenRequest({
      grant_type: 'client_credentials',
      scope: 'PSP_AI',
      resource: 'https://elsewhere.example',
    });
    expect(verdict(elsewhere)).toEqual([400, 'invalid_target']);
    const issued = await newCode();
    const widened = await tpp.tokenRequest(redemption(issued, { scope: 'PSP_PI PSP_AI' }));
    if (widened.status === 200) expect(parseJson(widened)['scope']).toBe('PSP_IC');
    counts.push('scope injections 19');
  });

  it('are not granted with an unsupported grant, response type or response mode', async () => {
    for (const grant_type of ['password', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code', ''])
      expect((await tpp.tokenRequest({ grant_type, username: 'ivan', password: 'sandbox' })).status).toBe(
        400,
      );
    for (const type of ['token', 'id_token', 'code token', 'none'])
      expect(await errorAt((url) => url.searchParams.set('response_type', type))).toBe(
        'unsupported_response_type',
      );
    for (const mode of ['form_post', 'fragment', 'web_message'])
      expect(await errorAt((url) => url.searchParams.set('response_mode', mode))).toBe(
        'unsupported_response_mode',
      );
    for (const name of ['request', 'request_uri'])
      expect(await errorAt((url) => url.searchParams.set(name, 'https://evil.example/x'))).toBe(
        `${name}_not_supported`,
      );
  });
});

describe('parallel redemption (contract 4)', () => {
  const race = async (form: Record<string, string>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: 30 }, async () => tpp.tokenRequest(form)));
  const winners = (answers: readonly Answer[]): Answer[] => {
    for (const answer of answers) if (answer.status !== 200) expect(verdict(answer)).toEqual(invalidGrant);
    return answers.filter(({ status }) => status === 200);
  };

  it('of an authorization code succeeds for exactly one of 30 requests, in each of 8 rounds', async () => {
    for (let round = 0; round < 8; round += 1)
      expect(winners(await race(redemption(await newCode())))).toHaveLength(1);
    counts.push('code races 8 × 30');
  });
});

describe('misplaced tokens (contract 2)', () => {
  it('are refused in a query, in a body, under another scheme, or with a different algorithm', async () => {
    const token = await tpp.applicationToken();
    const path = `${world.baseUrl}/sandbox/clock`;
    const [head = '', claims = '', signature = ''] = token.split('.');
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    const hmac = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'at+jwt' })).toString('base64url');
    const forged = Buffer.from(
      JSON.stringify({
        ...JSON.parse(Buffer.from(claims, 'base64url').toString()),
        client_id: 'sandbox-tpp-2',
      }),
    ).toString('base64url');
    const values = [
      token,
      `Basic ${token}`,
      `Bearer  ${token} x`,
      `Bearer ${token},${token}`,
      `Bearer ${none}.${claims}.`,
      `Bearer ${hmac}.${claims}.${signature}`,
      `Bearer ${head}.${forged}.${signature}`,
      `Bearer ${head}.${claims}`,
      `Bearer ${'x'.repeat(8000)}`,
      'Bearer',
    ];
    for (const authorization of values) {
      const { status } = await send('GET', path, { headers: { authorization } });
      expect([authorization.slice(0, 20), status]).toEqual([authorization.slice(0, 20), 401]);
    }
    expect((await send('GET', `${path}?access_token=${token}`)).status).toBe(401);
    counts.push(`token forgeries ${values.length + 1}`);
  });
});
