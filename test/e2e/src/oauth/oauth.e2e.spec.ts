import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { listCodes, consentBody, consented, dayFrom, sandboxNow } from '@xs2a/test-support/requests';
import { homeCurrency } from '@xs2a/test-support/home';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
const present = { headers: { 'psu-ip-address': '198.51.100.7' } };

beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
});
afterAll(async () => world.stop());

const readError = (location: string | undefined): string | null =>
  new URL(location ?? 'http://nowhere.invalid').searchParams.get('error');
const openAuthorization = async (
  changes: Record<string, string | undefined>,
  scope = 'PSP_IC',
  consentId?: string,
): Promise<{ left: string | undefined; status: number }> => {
  const url = new URL(tpp.authorizationRequest(scope, consentId).url);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  const browser = world.browser();
  const page = await browser.open(url.href);
  return { left: browser.leftTo, status: page.status };
};
const code = async (scope: string, psuId: string, password: string, consentId?: string) => {
  const request = tpp.authorizationRequest(scope, consentId);
  const browser = world.browser();
  await walkAndApprove(browser, request.url, { psuId, password });
  return { request, code: tpp.parseCode(browser.leftTo, request) };
};

describe('OAuth 2.0 (spec 4.1, 5.1, contract 4)', () => {
  it('is discovered at the well-known URL (RFC 8414)', async () => {
    const metadata = parseJson(await send('GET', `${world.baseUrl}/.well-known/oauth-authorization-server`));
    expect(metadata).toMatchObject({
      issuer: world.baseUrl,
      authorization_endpoint: `${world.baseUrl}/oauth2/authorize`,
      token_endpoint: `${world.baseUrl}/oauth2/token`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
  });

  it.each([
    ['/.well-known/oauth-authorization-server', 'AuthorizationServer', (body: object) => [body]],
    ['/oauth2/jwks', 'PublicKey', (body: object) => (body as { keys: object[] }).keys],
  ] as const)('returns the members that the OpenAPI document lists: %s', async (path, name, listed) => {
    const { components } = parseJson(await send('GET', `${world.baseUrl}/openapi.json`)) as {
      components: { schemas: Record<string, { required: string[]; properties: object }> };
    };
    const { required = [], properties = {} } = components.schemas[name] ?? {};
    const found = listed(parseJson(await send('GET', `${world.baseUrl}${path}`)));
    expect(found.length).toBeGreaterThan(0);
    for (const one of found) {
      expect(Object.keys(one).filter((member) => !(member in properties))).toEqual([]);
      expect(Object.keys(one)).toEqual(expect.arrayContaining(required));
    }
  });

  it('issues an application token for 3,600 s and a user token for 300 s', async () => {
    const application = parseJson(
      await tpp.tokenRequest({ grant_type: 'client_credentials', scope: 'PSP_AI PSP_PI' }),
    );
    expect(application).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    expect(application['refresh_token']).toBeUndefined();
    const psu = await world.person();
    const { tokens } = await consented(
      world,
      tpp,
      psu,
      consentBody([psu.accounts[0]?.iban ?? ''], dayFrom(await sandboxNow(world), 30)),
    );
    expect(tokens.expires_in).toBe(300);
  });

  it('refuses a scope whose role the TPP lacks, with invalid_scope', async () => {
    const aiOnly = world.tpp('sandbox-tpp-ai-only');
    const refused = await aiOnly.tokenRequest({ grant_type: 'client_credentials', scope: 'PSP_PI' });
    expect([refused.status, parseJson(refused)['error']]).toEqual([400, 'invalid_scope']);
    const userScope = await tpp.tokenRequest({ grant_type: 'client_credentials', scope: 'PSP_IC' });
    expect([userScope.status, parseJson(userScope)['error']]).toEqual([400, 'invalid_scope']);
  });

  it('refuses a wrong client secret with invalid_client', async () => {
    tpp.credentials satisfies object;
    const answer = await send('POST', `${world.baseUrl}/oauth2/token`, {
      form: new URLSearchParams({
        grant_type: 'client_credentials',
        scope: 'PSP_AI',
        client_id: 'sandbox-tpp',
        client_secret: 'wrong',
      }),
    });
    expect([answer.status, parseJson(answer)['error']]).toEqual([401, 'invalid_client']);
  });

  it('refuses an unidentified client with invalid_client at each endpoint (RFC 6749, 5.2)', async () => {
    for (const [path, form] of [
      ['token', { grant_type: 'client_credentials' }],
      ['token', {}],
      ['token', { client_secret: 'x' }],
      ['par', { response_type: 'code' }],
      ['revoke', { token: 'x' }],
    ] as const) {
      const answer = await send('POST', `${world.baseUrl}/oauth2/${path}`, {
        form: new URLSearchParams(form),
      });
      expect([path, answer.status, parseJson(answer)['error']]).toEqual([path, 401, 'invalid_client']);
    }
    const twice = await send('POST', `${world.baseUrl}/oauth2/token`, {
      form: new URLSearchParams('client_id=a&client_id=b'),
    });
    expect([twice.status, parseJson(twice)['error']]).toEqual([400, 'invalid_request']);
  });

  it('refuses an invalid Basic Authorization header with invalid_client and a Basic challenge at each endpoint', async () => {
    const { clientId, clientSecret = '' } = tpp.credentials;
    const invalid = [
      '',
      'Basic',
      'Bearer x',
      'Digest username="sandbox-tpp"',
      `Bearer ${btoa(`${clientId}:${clientSecret}`)}`,
      'Basic eA==',
      'Basic !!!!',
      `Basic ${btoa(`${clientId}:`)}`,
      `Basic ${btoa(`:${clientSecret}`)}`,
      `Basic ${btoa('%zz:secret')}`,
      `Basic ${btoa(`${clientId}:${clientSecret}`)} x`,
      `Basic ${btoa(`${clientId}:wrong`)}`,
    ];
    for (const path of ['token', 'par', 'revoke'])
      for (const authorization of invalid) {
        const answer = await send('POST', `${world.baseUrl}/oauth2/${path}`, {
          form: new URLSearchParams({
            grant_type: 'client_credentials',
            client_id: clientId,
            response_type: 'code',
            token: 'x',
          }),
          headers: { authorization },
        });
        const challenge = answer.headers.get('www-authenticate') ?? '';
        expect([path, authorization, answer.status, parseJson(answer)['error'], challenge]).toEqual([
          path,
          authorization,
          401,
          'invalid_client',
          expect.stringMatching(/^Basic realm="[^"]+"/),
        ]);
      }
    const twoWays = await send('POST', `${world.baseUrl}/oauth2/token`, {
      form: new URLSearchParams({ grant_type: 'client_credentials', client_secret: clientSecret }),
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    });
    expect([twoWays.status, parseJson(twoWays)['error']]).toEqual([400, 'invalid_request']);
  });

  it('never reveals the sign-in name of a PSU to a TPP: sub is pairwise and stable', async () => {
    const psu = await world.person();
    const claimsFor = async (by: TppClient): Promise<Record<string, unknown>> => {
      const request = by.authorizationRequest('PSP_IC');
      const browser = world.browser();
      await walkAndApprove(browser, request.url, psu);
      const tokens = await by.redeem(by.parseCode(browser.leftTo, request), request);
      const funds = await by.call('POST', '/v1/funds-confirmations', tokens.access_token, {
        json: { instructedAmount: { currency: homeCurrency, amount: '1.00' } },
      });
      expect([funds.status, parseJson(funds)]).toEqual([200, { fundsAvailable: true }]);
      const texts = tokens.access_token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
      expect(texts.filter((one) => one.includes(psu.psuId))).toEqual([]);
      return JSON.parse(texts[1] ?? '') as Record<string, unknown>;
    };
    const [first, again, other] = [
      await claimsFor(tpp),
      await claimsFor(tpp),
      await claimsFor(world.tpp('sandbox-tpp-2')),
    ];
    expect(first['sub']).toMatch(/^[\w-]{43}$/);
    expect(again['sub']).toBe(first['sub']);
    expect(other['sub']).not.toBe(first['sub']);
  });

  it('returns the lifetime of a refresh token when it is issued and after each rotation', async () => {
    const psu = await world.person();
    const { request, code: value } = await code('PSP_IC', psu.psuId, psu.password);
    const first = await tpp.redeem(value, request);
    const day = 86_400;
    expect(first).toHaveProperty('refresh_token_expires_in', day);
    await world.advance('PT1H');
    const second = await tpp.refresh(first.refresh_token ?? '');
    const left = Number(Reflect.get(second, 'refresh_token_expires_in'));
    expect(left).toBeLessThanOrEqual(day - 3600);
    expect(left).toBeGreaterThan(day - 3700);
    const application = parseJson(await tpp.tokenRequest({ grant_type: 'client_credentials' }));
    expect(application).not.toHaveProperty('refresh_token_expires_in');
  });

  it('does not revoke the tokens of another client, and responds as for an unknown token (RFC 7009)', async () => {
    const psu = await world.person();
    const { request, code: value } = await code('PSP_IC', psu.psuId, psu.password);
    const tokens = await tpp.redeem(value, request);
    const { clientId, clientSecret } = world.tpp('sandbox-tpp-2').credentials;
    const revoke = async (token: string) => {
      const { status, text } = await send('POST', `${world.baseUrl}/oauth2/revoke`, {
        form: new URLSearchParams({ token }),
        headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      });
      return [status, text];
    };
    for (const token of [tokens.refresh_token ?? '', tokens.access_token, 'unknown', 'a.b.c'])
      expect(await revoke(token)).toEqual([200, '']);
    const refreshed = await tpp.refresh(tokens.refresh_token ?? '');
    expect(refreshed.access_token).toEqual(expect.any(String));
  });

  it('does not allow pages of another origin to read a response or send a preflight (CORS)', async () => {
    for (const path of [
      '/oauth2/token',
      '/oauth2/par',
      '/oauth2/revoke',
      '/oauth2/jwks',
      '/.well-known/oauth-authorization-server',
    ])
      for (const method of ['OPTIONS', 'GET', 'POST']) {
        const { headers } = await send(method, `${world.baseUrl}${path}`, {
          headers: {
            origin: 'https://evil.example',
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'authorization',
          },
        });
        const allowed = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
        expect([method, path, allowed]).toEqual([method, path, []]);
      }
  });

  it('never issues a code for a consent that is final, unknown, missing from the request or owned by another client', async () => {
    const psu = await world.person();
    const second = world.tpp('sandbox-tpp-2');
    const body = consentBody([psu.accounts[0]?.iban ?? ''], dayFrom(await sandboxNow(world), 30));
    const foreign = parseJson<{ consentId: string }>(
      await second.call('POST', '/v1/consents', await second.applicationToken('PSP_AI'), {
        json: body,
        headers: { 'psu-id': psu.psuId },
      }),
    ).consentId;
    const token = await tpp.applicationToken('PSP_AI');
    const ended = parseJson<{ consentId: string }>(
      await tpp.call('POST', '/v1/consents', token, { json: body, headers: { 'psu-id': psu.psuId } }),
    ).consentId;
    await tpp.call('DELETE', `/v1/consents/${ended}`, token);
    for (const consentId of [foreign, '00000000-0000-4000-8000-000000000000', 'x', ended, undefined]) {
      const { left } = await openAuthorization({}, 'PSP_AI', consentId);
      expect([consentId, readError(left)]).toEqual([consentId, 'invalid_request']);
    }
  });

  it('refuses PKCE plain, and never redirects to an unregistered URI', async () => {
    expect(readError((await openAuthorization({ code_challenge_method: 'plain' })).left)).toBe(
      'invalid_request',
    );
    for (const uri of [
      'http://127.0.0.1:8090/callback/',
      'http://127.0.0.1:8090/callback?x=1',
      'http://127.0.0.1:8091/callback',
      'https://evil.example/callback',
      undefined,
    ]) {
      const { left, status } = await openAuthorization({ redirect_uri: uri });
      expect([uri, left, status]).toEqual([uri, undefined, 400]);
    }
  });

  it('redeems a code once; the second attempt fails and revokes the tokens, but not the consent', async () => {
    const psu = await world.person();
    const { consentId } = await consented(
      world,
      tpp,
      psu,
      consentBody([psu.accounts[0]?.iban ?? ''], dayFrom(await sandboxNow(world), 30)),
    );
    const { request, code: value } = await code('PSP_AI', psu.psuId, psu.password, consentId);
    const tokens = await tpp.redeem(value, request);
    expect((await tpp.call('GET', '/v1/accounts', tokens.access_token, present)).status).toBe(200);
    await expect(tpp.redeem(value, request)).rejects.toThrow('invalid_grant');
    const dead = await tpp.call('GET', '/v1/accounts', tokens.access_token, present);
    expect([dead.status, listCodes(dead)]).toEqual([401, ['TOKEN_INVALID']]);
    await expect(tpp.refresh(tokens.refresh_token ?? '')).rejects.toThrow('invalid_grant');
    expect(
      parseJson(
        await tpp.call('GET', `/v1/consents/${consentId}/status`, await tpp.applicationToken('PSP_AI')),
      ),
    ).toEqual({ consentStatus: 'valid' });
  });

  it('redeems a code exactly once in 30 parallel attempts', async () => {
    const psu = await world.person();
    for (let round = 0; round < 3; round += 1) {
      const { request, code: value } = await code('PSP_IC', psu.psuId, psu.password);
      const redeemed = await Promise.allSettled(
        Array.from({ length: 30 }, async () => tpp.redeem(value, request)),
      );
      expect(redeemed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });

  it('refuses a code with another verifier, another redirect URI or another client, or after 60 s', async () => {
    const psu = await world.person();
    const exchange = async (changes: Record<string, string>, by = tpp): Promise<unknown> => {
      const { request, code: value } = await code('PSP_IC', psu.psuId, psu.password);
      if (changes['late'] !== undefined) await world.advance('PT61S');
      const { late: _late, ...form } = changes;
      const answer = await by.tokenRequest({
        grant_type: 'authorization_code',
        code: value,
        redirect_uri: tpp.credentials.redirectUri,
        code_verifier: request.verifier,
        ...form,
      });
      const { error, error_description: description } = parseJson(answer);
      return `${String(error)}: ${String(description)}`;
    };
    expect(await exchange({ code_verifier: 'a'.repeat(43) })).toMatch(/^invalid_grant: code_verifier is /);
    expect(await exchange({ redirect_uri: 'http://localhost:8090/callback' })).toMatch(
      /^invalid_grant: redirect_uri is not the one/,
    );
    const ofAnother = await exchange({}, world.tpp('sandbox-tpp-2'));
    expect(ofAnother).toMatch(/^invalid_grant: .* belongs to another client/);
    expect(await exchange({ code: 'a'.repeat(43) })).toBe(ofAnother);
    expect(await exchange({ late: 'yes' })).toMatch(/^invalid_grant: .* has expired/);
  });

  it('rotates refresh tokens: reuse revokes the token family, whose lifetime is 24 h', async () => {
    const psu = await world.person();
    const first = await code('PSP_IC', psu.psuId, psu.password);
    const tokens = await tpp.redeem(first.code, first.request);
    const second = await tpp.refresh(tokens.refresh_token ?? '');
    await world.advance('PT61S');
    expect(second.refresh_token).not.toBe(tokens.refresh_token);
    await expect(tpp.refresh(tokens.refresh_token ?? '')).rejects.toThrow('invalid_grant');
    await expect(tpp.refresh(second.refresh_token ?? '')).rejects.toThrow('invalid_grant');
    const other = await code('PSP_IC', psu.psuId, psu.password);
    let family = await tpp.redeem(other.code, other.request);
    await world.advance('PT23H');
    family = await tpp.refresh(family.refresh_token ?? '');
    await world.advance('PT1H1M');
    await expect(tpp.refresh(family.refresh_token ?? '')).rejects.toThrow('invalid_grant');
  });

  it('returns TOKEN_EXPIRED for an expired token, and ignores a token in the query', async () => {
    const psu = await world.person();
    const { request, code: value } = await code('PSP_IC', psu.psuId, psu.password);
    const { access_token } = await tpp.redeem(value, request);
    const body = { json: { instructedAmount: { currency: homeCurrency, amount: '1.00' } } };
    expect((await tpp.call('POST', '/v1/funds-confirmations', access_token, body)).status).toBe(200);
    const inQuery = await tpp.call(
      'POST',
      `/v1/funds-confirmations?access_token=${access_token}`,
      undefined,
      body,
    );
    expect([inQuery.status, listCodes(inQuery)]).toEqual([401, ['TOKEN_UNKNOWN']]);
    await world.advance('PT5M1S');
    const expired = await tpp.call('POST', '/v1/funds-confirmations', access_token, body);
    expect([expired.status, listCodes(expired)]).toEqual([401, ['TOKEN_EXPIRED']]);
  });
});
