import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Answer, Sending } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import {
  listCodes,
  consentBody,
  domesticPath,
  domesticPayment,
  initiate,
  listPaths,
} from '@xs2a/test-support/requests';
import { homeCurrency } from '@xs2a/test-support/home';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let token: string;
let iban: string;
let psuId: string;

beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
  const psu = await world.person();
  ({ psuId } = psu);
  iban = psu.accounts[0]?.iban ?? '';
});
// Tests in other files move the lane's clock, and an application token is valid for only one hour.
beforeEach(async () => {
  token = await tpp.applicationToken();
});
afterAll(async () => world.stop());

const outcome = (answer: Answer): unknown => [answer.status, listCodes(answer), listPaths(answer)];
const validUntil = '9999-12-31';
const postConsent = async (sending: Sending): Promise<Answer> =>
  tpp.call('POST', '/v1/consents', token, sending);
const json = { 'content-type': 'application/json' };

describe('multiple errors in a consent request (contract 3: precedence)', () => {
  /** A body in which every field is wrong, with the fields in reverse order. */
  const wrong = {
    surprise: 1,
    combinedServiceIndicator: 'perhaps',
    frequencyPerDay: 0,
    validUntil: '2020-01-01',
    recurringIndicator: 'yes',
    access: { owners: [], transactions: 1, balances: [{ iban: 'BG00' }], accounts: [{}] },
  };

  it('are listed together in field order (spec 2.1), regardless of their order in the body', async () => {
    const answer = await postConsent({ json: wrong, headers: { 'psu-id': psuId } });
    expect(answer.status).toBe(400);
    expect(new Set(listCodes(answer))).toEqual(new Set(['FORMAT_ERROR']));
    expect(listPaths(answer)).toEqual([
      'access.transactions',
      'access.accounts[0].iban',
      'access.balances[0].iban',
      'access.owners',
      'recurringIndicator',
      'validUntil',
      'frequencyPerDay',
      'combinedServiceIndicator',
      'surprise',
    ]);
  });

  it.each([
    [
      'all wrong headers are listed, and nothing of the body',
      { 'psu-id': '', 'psu-ip-address': 'x' },
      [400, ['FORMAT_ERROR', 'FORMAT_ERROR'], ['PSU-IP-Address', 'PSU-ID']],
    ],
    ['a missing header is reported before the body', {}, [400, ['FORMAT_ERROR'], ['PSU-ID']]],
    [
      'an unknown corporate is reported before the body',
      { 'psu-corporate-id': 'nobody' },
      [401, ['CORPORATE_ID_INVALID'], [undefined]],
    ],
  ] as [string, Record<string, string>, unknown][])(
    '%s, whether the body has wrong fields or is not JSON',
    async (_title, headers, expected) => {
      expect(outcome(await postConsent({ json: wrong, headers }))).toEqual(expected);
      const keys: readonly Record<string, string>[] = [{}, { 'idempotency-key': randomUUID() }];
      for (const keyed of keys) {
        const broken = await postConsent({ raw: '{', headers: { ...json, ...headers, ...keyed } });
        expect(outcome(broken)).toEqual(expected);
      }
    },
  );

  it('are reported by precedence: a token error before a header error, and a header error before an error about the resource in the path', async () => {
    const path = `/v1/consents/${randomUUID()}`;
    const headers = { 'psu-ip-address': 'x' };
    const other = await tpp.call('GET', path, await tpp.applicationToken('PSP_PI'), { headers });
    expect(outcome(other)).toEqual([401, ['TOKEN_INVALID'], [undefined]]);
    expect(outcome(await tpp.call('GET', path, token, { headers }))).toEqual([
      400,
      ['FORMAT_ERROR'],
      ['PSU-IP-Address'],
    ]);
    expect(outcome(await tpp.call('GET', path, token))).toEqual([403, ['CONSENT_UNKNOWN'], [undefined]]);
  });
});

describe('a request with both a reused key and an error (contract 3: headers, replay, body)', () => {
  const requests: readonly [
    what: string,
    path: string,
    own: () => Record<string, string>,
    body: () => object,
  ][] = [
    ['a payment', domesticPath, () => ({}), () => domesticPayment(iban)],
    ['a consent', '/v1/consents', () => ({ 'psu-id': psuId }), () => consentBody([iban], validUntil)],
  ];

  it.each(requests)(
    '%s: gets the error for a wrong header instead of the replay, which stays unchanged',
    async (_what, path, own, body) => {
      const headers = { ...own(), 'idempotency-key': randomUUID() };
      const first = await tpp.call('POST', path, token, { json: body(), headers });
      expect(first.status).toBe(201);
      for (const [name, value] of [
        ['PSU-IP-Address', 'x'],
        ['X-Request-ID', 'x'],
        ['TPP-Redirect-URI', 'https://evil.example/'],
        ['PSU-ID', ' '],
      ] as const) {
        const wrong = await tpp.call('POST', path, token, {
          json: body(),
          headers: { ...headers, [name.toLowerCase()]: value },
        });
        expect(outcome(wrong)).toEqual([400, ['FORMAT_ERROR'], [name]]);
      }
      const again = await tpp.call('POST', path, token, { json: body(), headers });
      expect([again.status, again.text]).toEqual([201, first.text]);
    },
  );

  const deposits = (account: string): string => `/sandbox/accounts/${account}/deposit`;
  const amount = { amount: '1.00', currency: homeCurrency };
  const registration = { name: 'A', redirectUris: ['https://a.example/'], roles: ['PSP_AI'] };
  it.each<[what: string, path: () => string, body: () => object | Promise<object>]>([
    ['a payment', () => domesticPath, () => domesticPayment(iban)],
    [
      'a basket',
      () => '/v1/signing-baskets',
      async () => ({ paymentIds: [(await initiate(tpp, token, domesticPayment(iban))).paymentId] }),
    ],
    ['a consent', () => '/v1/consents', () => consentBody([iban], validUntil)],
    ['a person', () => '/sandbox/psus', () => ({ accounts: [{ currency: homeCurrency, opening: '1.00' }] })],
    ['a deposit', () => deposits(iban), () => amount],
    ['a TPP', () => '/sandbox/tpps', () => registration],
  ])(
    '%s: gets the error for the reused key, not for the body, whether the body has wrong fields or is not JSON',
    async (_what, path, body) => {
      const headers = { 'psu-id': psuId, 'idempotency-key': randomUUID() };
      const post = async (sending: Sending): Promise<Answer> => tpp.call('POST', path(), token, sending);
      const raw = { raw: '{', headers: { ...json, ...headers } };
      expect(outcome(await post(raw))).toEqual([400, ['FORMAT_ERROR'], ['body']]);
      expect((await post({ json: await body(), headers })).status).toBe(201);
      const used = [409, ['STATUS_INVALID'], [undefined]];
      expect(outcome(await post({ json: {}, headers }))).toEqual(used);
      expect(outcome(await post(raw))).toEqual(used);
    },
  );

  it('a deposit: gets the error for the unknown account in the path instead of the one for the body', async () => {
    const sending = { raw: '{', headers: json };
    const answer = await tpp.call('POST', deposits('BG17XSBK92001099999999'), token, sending);
    expect(outcome(answer)).toEqual([404, ['RESOURCE_UNKNOWN'], [undefined]]);
  });

  it('for a consent without PSU-ID: gets the error for the missing header instead of the replay', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = consentBody([iban], validUntil);
    expect((await postConsent({ json: body, headers: { ...headers, 'psu-id': psuId } })).status).toBe(201);
    expect(outcome(await postConsent({ json: body, headers }))).toEqual([400, ['FORMAT_ERROR'], ['PSU-ID']]);
  });
});
