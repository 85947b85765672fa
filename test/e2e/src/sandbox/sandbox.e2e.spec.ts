import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import {
  authorised,
  listCodes,
  domesticPath,
  domesticPayment,
  initiate,
  sandboxNow,
  readStatus,
} from '@xs2a/test-support/requests';
import { homeCurrency } from '@xs2a/test-support/home';
import { bodyOf } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
beforeAll(async () => {
  world = await World.ofLane();
});
afterAll(async () => world.stop());

describe('the sandbox (contract 13)', () => {
  it('registers a TPP that can call the API at once; blocking it stops all its calls, and unblocking restores them', async () => {
    const anybody = world.tpp();
    const answer = await anybody.call('POST', '/sandbox/tpps', undefined, {
      json: { name: 'New TPP', redirectUris: ['https://tpp.example/cb'], roles: ['PSP_PI'] },
    });
    expect(answer.status).toBe(201);
    const { clientId, clientSecret } = parseJson<{ clientId: string; clientSecret: string }>(answer);
    const fresh = new TppClient(world.baseUrl, {
      clientId,
      clientSecret,
      redirectUri: 'https://tpp.example/cb',
    });
    const token = await fresh.applicationToken('PSP_PI');
    const psu = await world.person();
    const payment = await initiate(fresh, token, domesticPayment(psu.accounts[0]?.iban ?? ''));
    const operator = await anybody.applicationToken();
    expect(
      (await anybody.call('PATCH', `/sandbox/tpps/${clientId}`, operator, { json: { status: 'blocked' } }))
        .status,
    ).toBeLessThan(300);
    const refused = await fresh.call('GET', payment.path, token);
    expect([refused.status, listCodes(refused)]).toEqual([401, ['CERTIFICATE_BLOCKED']]);
    await expect(fresh.applicationToken('PSP_PI')).rejects.toThrow('invalid_client');
    expect(
      (await anybody.call('PATCH', `/sandbox/tpps/${clientId}`, operator, { json: { status: 'active' } }))
        .status,
    ).toBeLessThan(300);
    expect((await fresh.call('GET', payment.path, await fresh.applicationToken('PSP_PI'))).status).toBe(200);
  });

  it('refuses a TPP with an invalid redirect URI or an unknown role, and names the invalid field', async () => {
    const tpp = world.tpp();
    for (const [json, path] of [
      [{ name: 'X', redirectUris: ['http://evil.example/cb'], roles: ['PSP_PI'] }, 'redirectUris'],
      [{ name: 'X', redirectUris: ['https://ok.example/cb#f'], roles: ['PSP_PI'] }, 'redirectUris'],
      [{ name: 'X', redirectUris: ['https://ok.example/cb'], roles: ['ADMIN'] }, 'roles'],
      [{ redirectUris: ['https://ok.example/cb'], roles: ['PSP_PI'] }, 'name'],
    ] as const) {
      const answer = await tpp.call('POST', '/sandbox/tpps', undefined, { json });
      expect(answer.status).toBe(400);
      expect(parseJson<{ tppMessages: { path?: string }[] }>(answer).tppMessages[0]?.path).toContain(path);
    }
  });

  it('moves the clock only forward', async () => {
    const tpp = world.tpp();
    const before = Date.parse(await sandboxNow(world));
    const after = Date.parse(await world.advance('P1DT1H'));
    expect(after - before).toBeGreaterThanOrEqual(25 * 3_600_000);
    for (const advance of ['-PT1M', 'PT0S', '', '1 minute', 'P1Y1', 'PT1M ', 60]) {
      const answer = await tpp.call('POST', '/sandbox/clock', await tpp.applicationToken(), {
        json: { advance },
      });
      expect([advance, answer.status]).toEqual([advance, 400]);
    }
  });

  it('shows to every user who moved the clock, by how much and when in real time, the latest first', async () => {
    const [tpp, other] = [await world.newTpp(['PSP_AI', 'PSP_PI']), await world.newTpp(['PSP_AI', 'PSP_PI'])];
    for (const [by, advance] of [
      [tpp, 'PT3S'],
      [other, 'P0DT4S'],
    ] as const)
      bodyOf(
        await by.call('POST', '/sandbox/clock', await by.applicationToken(), { json: { advance } }),
        200,
      );
    const answer = await tpp.call('GET', '/sandbox/clock/moves', await tpp.applicationToken());
    const { moves } = bodyOf<{ readonly moves: readonly { readonly movedAt: string }[] }>(answer, 200);
    expect(moves.length).toBeLessThanOrEqual(10);
    expect(moves.slice(0, 2)).toEqual([
      { clientId: other.credentials.clientId, advance: 'P0DT4S', movedAt: expect.any(String) },
      { clientId: tpp.credentials.clientId, advance: 'PT3S', movedAt: expect.any(String) },
    ]);
    // The header Date has the real time, which the moves did not change.
    const answeredAt = Date.parse(answer.headers.get('date') ?? '');
    expect(Math.abs(Date.parse(moves[0]?.movedAt ?? '') - answeredAt)).toBeLessThan(60_000);
  });

  it('sends its time with every answer, also on pages and OAuth errors, and before any token is checked', async () => {
    const tpp = world.tpp();
    const psu = await world.person();
    const before = Date.parse(await world.advance('PT1H'));
    const token = await tpp.applicationToken();
    const { scaRedirect } = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? ''));
    const paths = [
      '/v1/accounts',
      '/v1/nothing',
      '/health/live',
      '/health/ready',
      '/docs',
      '/openapi.json',
      '/',
      '/.well-known/oauth-authorization-server',
      '/oauth2/jwks',
      '/oauth2/nothing',
      '/oauth2/authorize?client_id=nobody',
      new URL(scaRedirect).pathname,
      '/sca/style.css',
      '/sca/apps',
      '/sca/nothing',
    ];
    const answers = [
      ...(await Promise.all(paths.map(async (path) => send('GET', `${world.baseUrl}${path}`)))),
      await tpp.tokenRequest({ grant_type: 'client_credentials', scope: 'PSP_PI' }),
      await tpp.tokenRequest({ grant_type: 'password' }),
      await send('POST', `${world.baseUrl}/oauth2/par`, { form: new URLSearchParams({ scope: 'PSP_AI' }) }),
      await send('POST', scaRedirect, { form: new URLSearchParams({ decision: 'approve' }) }),
    ];
    const after = Date.parse(await sandboxNow(world));
    for (const [index, { headers }] of answers.entries()) {
      const clock = headers.get('x-sandbox-clock') ?? '';
      expect([paths[index], new Date(clock).toISOString()]).toEqual([paths[index], clock]);
      expect(Date.parse(clock)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(clock)).toBeLessThanOrEqual(after);
    }
  });

  it('cancels and hides the payments of the calling application; settled payments stay settled', async () => {
    const tpp = world.tpp();
    const second = world.tpp('sandbox-tpp-2');
    const psu = await world.person('100.00');
    const [mine, theirs] = [await tpp.applicationToken(), await second.applicationToken()];
    const moved = await initiate(tpp, mine, domesticPayment(psu.accounts[0]?.iban ?? '', '40.00'));
    await walkAndApprove(world.browser(), moved.scaRedirect, psu);
    await world.advance('PT1M');
    const signed = await initiate(tpp, mine, domesticPayment(psu.accounts[0]?.iban ?? '', '40.00'));
    await walkAndApprove(world.browser(), signed.scaRedirect, psu);
    const other = await initiate(second, theirs, domesticPayment(psu.accounts[0]?.iban ?? '', '10.00'));
    expect((await tpp.call('DELETE', '/sandbox/payments', mine)).status).toBe(204);
    for (const { path } of [moved, signed]) expect((await tpp.call('GET', path, mine)).status).toBe(404);
    expect((await second.call('GET', other.path, theirs)).status).toBe(200);
    await world.advance('PT2M');
    // 100 − 40: the settled payment is deducted, and the signed payment no longer holds funds, because it is
    // cancelled.
    const { access_token } = await authorised(world, tpp, psu, 'PSP_IC');
    for (const [amount, fundsAvailable] of [
      ['60.00', true],
      ['60.01', false],
    ] as const) {
      const json = { instructedAmount: { currency: homeCurrency, amount } };
      const funds = await tpp.call('POST', '/v1/funds-confirmations', access_token, { json });
      expect([amount, parseJson(funds)]).toEqual([amount, { fundsAvailable }]);
    }
    await walkAndApprove(world.browser(), other.scaRedirect, psu);
    await world.advance('PT1M');
    expect(await readStatus(second, theirs, other.path)).toMatchObject({ transactionStatus: 'ACSC' });
  });

  it('requires a token for everything except registration', async () => {
    const tpp = world.tpp();
    for (const [method, path, json] of [
      ['GET', '/sandbox/clock', undefined],
      ['POST', '/sandbox/clock', { advance: 'PT1S' }],
      ['GET', '/sandbox/clock/moves', undefined],
      ['POST', '/sandbox/psus', { accounts: [{ currency: homeCurrency, opening: '1.00' }] }],
      [
        'POST',
        '/sandbox/accounts/BG25XSBK92001000000001/deposit',
        { amount: '1.00', currency: homeCurrency },
      ],
      ['DELETE', '/sandbox/payments', undefined],
    ] as const) {
      const answer = await tpp.call(method, path, undefined, json === undefined ? {} : { json });
      expect([path, answer.status, listCodes(answer)]).toEqual([path, 401, ['TOKEN_UNKNOWN']]);
    }
    expect(domesticPath).toContain('/v1/');
  });
});
