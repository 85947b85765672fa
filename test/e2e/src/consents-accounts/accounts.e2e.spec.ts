import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove, walkAndDecline } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import {
  authorised,
  bookedAt,
  listCodes,
  consentBody,
  consented,
  createConsent,
  dayFrom,
  present,
  resourceIds,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { fixtureAmount, homeCurrency, plusOne, testedRules } from '@xs2a/test-support/home';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let inThirtyDays: string;

beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
  inThirtyDays = dayFrom(await sandboxNow(world), 30);
});
afterAll(async () => world.stop());

const consentStatus = async (consentId: string): Promise<unknown> =>
  parseJson(await tpp.call('GET', `/v1/consents/${consentId}/status`, await tpp.applicationToken('PSP_AI')))[
    'consentStatus'
  ];
describe('consent (spec 2.1, 4.3, contract 5)', () => {
  it('starts as received, with its id and links (spec 2.1 rule 5), and becomes valid; its effective validUntil is at most 90 days ahead, 180 in euro', async () => {
    const psu = await world.person();
    const answer = await createConsent(
      tpp,
      psu.psuId,
      consentBody([psu.accounts[0]?.iban ?? ''], '2099-12-31'),
    );
    expect(answer.status).toBe(201);
    const {
      consentId,
      consentStatus: status,
      _links,
    } = parseJson<{ consentId: string; consentStatus: string; _links: Record<string, { href: string }> }>(
      answer,
    );
    expect(status).toBe('received');
    expect(Object.keys(_links).sort()).toEqual(['scaRedirect', 'scaStatus', 'self', 'status']);
    expect(answer.headers.get('location')).toBe(`/v1/consents/${consentId}`);
    expect(answer.headers.get('aspsp-sca-approach')).toBe('REDIRECT');
    await walkAndApprove(world.browser(), _links['scaRedirect']?.href ?? '', psu);
    const path = `/v1/consents/${consentId}`;
    const now = await sandboxNow(world);
    expect(parseJson(await tpp.call('GET', path, await tpp.applicationToken('PSP_AI')))).toEqual({
      access: consentBody([psu.accounts[0]?.iban ?? ''], '')['access'],
      recurringIndicator: true,
      validUntil: dayFrom(now, testedRules.consentMaxDays),
      frequencyPerDay: 4,
      lastActionDate: dayFrom(now, 0),
      consentStatus: 'valid',
      _links: { self: { href: path }, status: { href: `${path}/status` }, account: { href: '/v1/accounts' } },
    });
    expect(await consentStatus(consentId)).toBe('valid');
  });

  it('lets the PSU choose the accounts if it contains three empty arrays (spec 2.1 rule 3)', async () => {
    const psu = await world.person('10.00', '20.00', '30.00');
    const picked = psu.accounts[1]?.iban ?? '';
    const { consentId } = parseJson<{ consentId: string }>(
      await createConsent(tpp, psu.psuId, consentBody([], inThirtyDays)),
    );
    const request = tpp.authorizationRequest('PSP_AI', consentId);
    const browser = world.browser();
    const steps: string[] = [];
    await walkAndApprove(browser, request.url, psu, {
      accounts: [picked],
      watch: (step) => steps.push(step),
    });
    expect(steps).toContain('pick accounts');
    const { access_token } = await tpp.redeem(tpp.parseCode(browser.leftTo, request), request);
    const { accounts } = parseJson<{ accounts: { iban: string }[] }>(
      await tpp.call('GET', '/v1/accounts', access_token, present),
    );
    expect(accounts.map(({ iban }) => iban)).toEqual([picked]);
  });

  it('is rejected if an IBAN does not belong to the PSU', async () => {
    const [psu, other] = [await world.person(), await world.person()];
    const { consentId, _links } = parseJson<{ consentId: string; _links: Record<string, { href: string }> }>(
      await createConsent(tpp, psu.psuId, consentBody([other.accounts[0]?.iban ?? ''], inThirtyDays)),
    );
    await walkAndApprove(world.browser(), _links['scaRedirect']?.href ?? '', psu);
    expect(await consentStatus(consentId)).toBe('rejected');
  });

  it('is rejected if the PSU refuses it, or does not authorise it within 24 hours', async () => {
    const psu = await world.person();
    const body = consentBody([psu.accounts[0]?.iban ?? ''], inThirtyDays);
    const first = parseJson<{ consentId: string; _links: Record<string, { href: string }> }>(
      await createConsent(tpp, psu.psuId, body),
    );
    await walkAndDecline(world.browser(), first._links['scaRedirect']?.href ?? '', psu, 'refuse');
    expect(await consentStatus(first.consentId)).toBe('rejected');
    const second = parseJson<{ consentId: string }>(await createConsent(tpp, psu.psuId, body));
    await world.advance('PT24H1S');
    expect(await consentStatus(second.consentId)).toBe('rejected');
  });

  it('is terminated by DELETE (204, and 204 again when repeated); the next call with the token fails', async () => {
    const psu = await world.person();
    const { consentId, tokens } = await consented(
      world,
      tpp,
      psu,
      consentBody([psu.accounts[0]?.iban ?? ''], inThirtyDays),
    );
    expect((await tpp.call('GET', '/v1/accounts', tokens.access_token, present)).status).toBe(200);
    const management = await tpp.applicationToken('PSP_AI');
    expect((await tpp.call('DELETE', `/v1/consents/${consentId}`, management)).status).toBe(204);
    expect((await tpp.call('DELETE', `/v1/consents/${consentId}`, management)).status).toBe(204);
    expect(await consentStatus(consentId)).toBe('terminatedByTpp');
    const dead = await tpp.call('GET', '/v1/accounts', tokens.access_token, present);
    expect([dead.status, listCodes(dead)]).toEqual([401, ['CONSENT_INVALID']]);
    expect(
      parseJson(
        await tpp.tokenRequest({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }),
      )['error'],
    ).toBe('invalid_grant');
  });

  it('is terminated when a newer recurring consent of the same TPP and PSU is authorised', async () => {
    const psu = await world.person();
    const body = consentBody([psu.accounts[0]?.iban ?? ''], inThirtyDays);
    const first = await consented(world, tpp, psu, body);
    const second = await consented(world, tpp, psu, body);
    expect([await consentStatus(first.consentId), await consentStatus(second.consentId)]).toEqual([
      'expired',
      'valid',
    ]);
    const dead = await tpp.call('GET', '/v1/accounts', first.tokens.access_token, present);
    expect([dead.status, listCodes(dead)]).toEqual([401, ['CONSENT_EXPIRED']]);
  });

  it('has the same authorisation whether reached through its link or through the authorize request', async () => {
    const psu = await world.person();
    const { consentId, _links } = parseJson<{ consentId: string; _links: Record<string, { href: string }> }>(
      await createConsent(tpp, psu.psuId, consentBody([psu.accounts[0]?.iban ?? ''], inThirtyDays)),
    );
    const read = async (path = ''): Promise<Record<string, unknown>> =>
      parseJson(await tpp.call('GET', path, await tpp.applicationToken('PSP_AI')));
    expect(await read(_links['scaStatus']?.href)).toEqual({ scaStatus: 'received' });
    await authorised(world, tpp, psu, 'PSP_AI', consentId);
    expect(await read(_links['scaStatus']?.href)).toEqual({ scaStatus: 'finalised' });
    expect((await read(`/v1/consents/${consentId}/authorisations`))['authorisationIds']).toHaveLength(1);
    expect((await world.browser().open(_links['scaRedirect']?.href ?? '')).forms).toEqual([]);
  });

  it('of another TPP returns CONSENT_UNKNOWN, with the same response as for an unknown consent', async () => {
    const psu = await world.person();
    const { consentId } = parseJson<{ consentId: string }>(
      await createConsent(tpp, psu.psuId, consentBody([psu.accounts[0]?.iban ?? ''], inThirtyDays)),
    );
    const second = world.tpp('sandbox-tpp-2');
    const token = await second.applicationToken('PSP_AI');
    for (const [method, tail] of [
      ['GET', ''],
      ['GET', '/status'],
      ['GET', '/authorisations'],
      ['DELETE', ''],
    ] as const) {
      const foreign = await second.call(method, `/v1/consents/${consentId}${tail}`, token);
      const unknown = await second.call(method, `/v1/consents/${randomUUID()}${tail}`, token);
      expect([foreign.status, listCodes(foreign)]).toEqual([403, ['CONSENT_UNKNOWN']]);
      expect(foreign.text).toBe(unknown.text);
    }
  });
});

describe('account information (spec 4.4, contract 6)', () => {
  it('lists the consented accounts, and returns one account with its balances and transactions, for a customer with history', async () => {
    const ivan = {
      psuId: 'ivan',
      password: 'sandbox',
      accounts: [{ iban: 'BG25XSBK92001000000001', currency: homeCurrency }],
    };
    const { tokens } = await consented(
      world,
      tpp,
      ivan,
      consentBody(['BG25XSBK92001000000001'], inThirtyDays),
    );
    const [resourceId = ''] = await resourceIds(tpp, tokens.access_token);
    const one = parseJson<{ account: Record<string, unknown> }>(
      await tpp.call('GET', `/v1/accounts/${resourceId}?withBalance=true`, tokens.access_token, present),
    );
    expect(one.account).toMatchObject({
      resourceId,
      iban: 'BG25XSBK92001000000001',
      currency: homeCurrency,
      cashAccountType: 'CACC',
    });
    const { balances } = parseJson<{ balances: { balanceType: string; balanceAmount: object }[] }>(
      await tpp.call('GET', `/v1/accounts/${resourceId}/balances`, tokens.access_token, present),
    );
    expect(balances.map(({ balanceType, balanceAmount }) => [balanceType, balanceAmount])).toEqual(
      expect.arrayContaining([
        ['interimAvailable', { currency: homeCurrency, amount: fixtureAmount('5000.00') }],
        ['expected', { currency: homeCurrency, amount: fixtureAmount('5000.00') }],
      ]),
    );
    const pages: (readonly string[])[] = [];
    let path = `/v1/accounts/${resourceId}/transactions?pageSize=20`;
    while (path !== '') {
      const { ids, to } = await bookedAt(tpp, path, tokens.access_token);
      pages.push(ids);
      path = to('next');
    }
    const seen = pages.flat();
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.slice(0, -1).every((page) => page.length === 20)).toBe(true);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('returns the same entries through the links of a list even while new ones arrive; entryReferenceFrom returns only later entries (contract 6)', async () => {
    const psu = await world.person();
    const iban = psu.accounts[0]?.iban ?? '';
    const { tokens } = await consented(world, tpp, psu, consentBody([iban], inThirtyDays));
    const application = await tpp.applicationToken();
    const paid = async (amount: string): Promise<string> =>
      parseJson<{ transactionId: string }>(
        await tpp.call('POST', `/sandbox/accounts/${iban}/deposit`, application, {
          json: { amount, currency: homeCurrency },
        }),
      ).transactionId;
    const read = async (path: string) => bookedAt(tpp, path, tokens.access_token);
    const old = [await paid('1.00'), await paid('2.00'), await paid('3.00')].reverse();
    const path = `/v1/accounts/${(await resourceIds(tpp, tokens.access_token))[0]}/transactions?bookingStatus=booked&pageSize=2`;
    const first = await read(path);
    const arrived = await paid('4.00');
    const next = await read(first.to('next'));
    expect([...first.ids, ...next.ids.slice(0, 1)]).toEqual(old);
    expect((await read(next.to('previous'))).ids).toEqual(first.ids);
    expect((await read(next.to('first'))).ids[0]).toBe(arrived);
    const delta = await read(`${path}&entryReferenceFrom=${first.ids[0]}`);
    expect([delta.ids, delta.to('next')]).toEqual([[arrived], '']);
    const wrong = await tpp.call(
      'GET',
      `${path}&entryReferenceFrom=${'0'.repeat(32)}`,
      tokens.access_token,
      present,
    );
    expect([wrong.status, listCodes(wrong)]).toEqual([400, ['FORMAT_ERROR']]);
  });

  it('requires a fresh token for transactions older than 90 days (spec part 8)', async () => {
    const psu = await world.person();
    const { tokens } = await consented(
      world,
      tpp,
      psu,
      consentBody([psu.accounts[0]?.iban ?? ''], inThirtyDays),
    );
    const [resourceId = ''] = await resourceIds(tpp, tokens.access_token);
    const old = `/v1/accounts/${resourceId}/transactions?dateFrom=${dayFrom(await sandboxNow(world), -200)}`;
    expect((await tpp.call('GET', old, tokens.access_token, present)).status).toBe(200);
    const refreshed = await tpp.refresh(tokens.refresh_token ?? '');
    const refused = await tpp.call('GET', old, refreshed.access_token, present);
    expect([refused.status, listCodes(refused)]).toEqual([401, ['TOKEN_INVALID']]);
    expect(refused.text).toContain('need a fresh authorization');
    expect(
      (await tpp.call('GET', `/v1/accounts/${resourceId}/transactions`, refreshed.access_token, present))
        .status,
    ).toBe(200);
  });

  it('gives the same response for an account outside the consent as for an unknown account', async () => {
    const psu = await world.person('1.00', '2.00');
    const both = await consented(
      world,
      tpp,
      psu,
      consentBody(
        psu.accounts.map(({ iban }) => iban),
        inThirtyDays,
      ),
    );
    const ids = await resourceIds(tpp, both.tokens.access_token);
    const { tokens } = await consented(
      world,
      tpp,
      psu,
      consentBody([psu.accounts[0]?.iban ?? ''], inThirtyDays),
    );
    const [own = ''] = await resourceIds(tpp, tokens.access_token);
    const outside = ids.find((id) => id !== own) ?? '';
    for (const tail of ['', '/balances', '/transactions']) {
      const answers = [outside, randomUUID(), 'nonsense'].map(async (id) =>
        tpp.call('GET', `/v1/accounts/${id}${tail}`, tokens.access_token, present),
      );
      const [first, ...others] = await Promise.all(answers);
      expect([first?.status, first && listCodes(first)]).toEqual([404, ['RESOURCE_UNKNOWN']]);
      expect(others.every(({ text }) => text === first?.text)).toBe(true);
    }
  });
});

describe('unattended access (spec 8 rule 2, spec 8 rule 3)', () => {
  it('is allowed 4 times per endpoint and account in 24 hours, not counting calls with the PSU present', async () => {
    const psu = await world.person('1.00', '2.00');
    const { consentId, tokens } = await consented(
      world,
      tpp,
      psu,
      consentBody(
        psu.accounts.map(({ iban }) => iban),
        inThirtyDays,
      ),
    );
    const [first = '', second = ''] = await resourceIds(tpp, tokens.access_token);
    const balances = async (id: string, token = tokens.access_token): Promise<Answer> =>
      tpp.call('GET', `/v1/accounts/${id}/balances`, token);
    const answers = await Promise.all(Array.from({ length: 20 }, async () => balances(first)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(16);
    expect(listCodes(refused[0] as Answer)).toEqual(['ACCESS_EXCEEDED']);
    const wait = Number(refused[0]?.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(86_000);
    expect(wait).toBeLessThanOrEqual(86_400);
    expect((await balances(second)).status).toBe(200);
    expect((await tpp.call('GET', `/v1/accounts/${first}`, tokens.access_token)).status).toBe(200);
    expect(
      (await tpp.call('GET', `/v1/accounts/${first}/balances`, tokens.access_token, present)).status,
    ).toBe(200);
    // A new token does not reset the count.
    const again = await authorised(world, tpp, psu, 'PSP_AI', consentId);
    expect((await balances(first, again.access_token)).status).toBe(429);
    await world.advance('PT24H1S');
    const later = await authorised(world, tpp, psu, 'PSP_AI', consentId);
    expect((await balances(first, later.access_token)).status).toBe(200);
  });

  it('is not used up by a refused call', async () => {
    const psu = await world.person();
    const { tokens } = await consented(
      world,
      tpp,
      psu,
      consentBody([psu.accounts[0]?.iban ?? ''], inThirtyDays),
    );
    const [id = ''] = await resourceIds(tpp, tokens.access_token);
    for (let tries = 0; tries < 6; tries += 1) {
      expect(
        (await tpp.call('GET', `/v1/accounts/${id}/transactions?cursor=forged`, tokens.access_token)).status,
      ).toBe(400);
    }
    expect((await tpp.call('GET', `/v1/accounts/${id}/transactions`, tokens.access_token)).status).toBe(200);
  });
});

describe('funds confirmation (spec 2.3, 4.2, 5.5, contract 7)', () => {
  it('is true up to the balance and false above it, for every account of the PSU', async () => {
    const psu = await world.person('100.00', '500.00');
    const { access_token, expires_in } = await authorised(world, tpp, psu, 'PSP_IC');
    expect(expires_in).toBe(300);
    const ask = async (amount: string, iban?: string): Promise<Answer> =>
      tpp.call('POST', '/v1/funds-confirmations', access_token, {
        json: {
          ...(iban === undefined ? {} : { account: { iban } }),
          instructedAmount: { currency: homeCurrency, amount },
        },
      });
    expect((await ask('100.00')).text).toBe('{"fundsAvailable":true}');
    expect((await ask('100.01')).text).toBe('{"fundsAvailable":false}');
    expect((await ask('500.00', psu.accounts[1]?.iban)).text).toBe('{"fundsAvailable":true}');
    const stranger = await world.person();
    const foreign = await ask('1.00', stranger.accounts[0]?.iban);
    expect([foreign.status, listCodes(foreign)]).toEqual([404, ['RESOURCE_UNKNOWN']]);
  });

  it('includes the credit limit', async () => {
    const maria = { psuId: 'maria', password: 'sandbox', accounts: [] };
    const { access_token } = await authorised(world, tpp, maria, 'PSP_IC');
    const ask = async (amount: string): Promise<string> =>
      (
        await tpp.call('POST', '/funds-confirmation', access_token, {
          json: { instructedAmount: { currency: homeCurrency, amount } },
        })
      ).text;
    const all = fixtureAmount('750.00');
    expect(await ask(all)).toBe('{"fundsAvailable":true}');
    expect(await ask(plusOne(all))).toBe('{"fundsAvailable":false}');
  });
});
