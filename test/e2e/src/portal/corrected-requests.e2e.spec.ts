// Lane: long (a part of the portal, with a gateway that stores calls).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  consentBody,
  consented,
  dayFrom,
  domesticPath,
  domesticPayment,
  present,
  resourceIds,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { WorkspaceUser } from './workspace-user.js';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

let world: World;
let tpp: TppClient;
let user: WorkspaceUser;
let token: string;
let userToken: string;
let transactions: string;
let payment: Record<string, unknown>;
let consent: Record<string, unknown>;
beforeAll(async () => {
  world = await World.start({ gateway: { CALL_BODIES: 'true' } });
  tpp = world.tpp();
  const { clientId, clientSecret = '' } = tpp.credentials;
  user = new WorkspaceUser(world.baseUrl, { clientId, clientSecret });
  await user.signIn();
  token = await tpp.applicationToken();
  const person = await world.person('100.00');
  const [{ iban } = { iban: '' }] = person.accounts;
  payment = domesticPayment(iban);
  consent = consentBody([iban], dayFrom(await sandboxNow(world), 30));
  userToken = (await consented(world, tpp, person, consent)).tokens.access_token;
  const [accountId] = await resourceIds(tpp, userToken);
  transactions = `/v1/accounts/${accountId}/transactions`;
}, 90_000);
afterAll(async () => world.stop());

const send = async ({ method, path, headers, json }: Call) =>
  tpp.call(method, path, path.startsWith('/v1/accounts') ? userToken : token, { json, headers });

const characters: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
};
const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:quot|#39|lt|gt);/g, (one) => characters[one] ?? '')
    .replaceAll('&amp;', '&')
    .trim();

/** What the workspace shows as the corrected request of a call, sent with what it says to keep of the call. */
const corrected = async (call: Call, requestId: string): Promise<Call> => {
  const page = await (await user.get(`/workspace/requests/${requestId}`)).text();
  const [, rest, shown = ''] =
    /An example\. Send it with the ([a-z ]+) of the call\.[^]*?<pre[^>]*>([^]*?)<\/pre>/.exec(page) ?? [];
  const [line = '', ...more] = plain(shown).split('\n');
  const [method = '', path = ''] = line.split(' ');
  if (rest === 'headers') {
    const json = more.length === 0 ? undefined : (JSON.parse(more.join('\n')) as unknown);
    return { ...call, method, path, json };
  }
  expect(rest).toBe('other headers and body');
  const [name = '', value = ''] = more[0]?.split(': ') ?? [];
  return { ...call, method, path, headers: { ...call.headers, [name.toLowerCase()]: value } };
};

const posted = (headers: Readonly<Record<string, string>>, json: unknown = payment): Call => ({
  method: 'POST',
  path: domesticPath,
  headers,
  json,
});
const got = (query: string): Call => ({ method: 'GET', path: `${transactions}?${query}`, ...present });
const asked = (changes: object): Call => ({
  method: 'POST',
  path: '/v1/consents',
  headers: { 'psu-id': 'ivan' },
  json: { ...consent, ...changes },
});

describe('the corrected request of a refused call (contract 13)', () => {
  it.each<[string, () => Call]>([
    ['a payment in leva under SEPA', () => ({ ...posted({}), path: '/v1/payments/SEPA-Credit-Transfer' })],
    [
      'a wrong amount',
      () => posted({}, { ...payment, instructedAmount: { currency: 'BGN', amount: '1,00' } }),
    ],
    ['a redirect URI of somebody else', () => posted({ 'tpp-redirect-uri': 'https://evil.example/back' })],
    ['a wrong PSU-IP-Address', () => posted({ 'psu-ip-address': 'home' })],
    ['a period that has passed', () => asked({ validUntil: '2020-01-01' })],
    ['an empty access', () => asked({ access: {} })],
    ['a consent without a person', () => ({ ...asked({}), headers: {} })],
    ['a malformed day', () => got('bookingStatus=both&dateFrom=yesterday')],
    [
      'a period that ends before it begins',
      () => got('bookingStatus=both&dateFrom=2026-11-09&dateTo=2026-01-01'),
    ],
    ['an unknown booking status', () => got('bookingStatus=all')],
    ['too large a page', () => got('bookingStatus=both&pageSize=5000')],
    ['a flag that is no flag', () => got('bookingStatus=both&deltaList=maybe')],
  ])('is accepted as it stands after %s', async (_what, make) => {
    const call = make();
    const refused = await send(call);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    const again = await corrected(call, refused.headers.get('x-request-id') ?? '');
    const answer = await send(again);
    expect([again.path, answer.status, answer.text]).toEqual([
      again.path,
      call.method === 'POST' ? 201 : 200,
      expect.any(String),
    ]);
  });
});
