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
    /Send it\s+with the ([a-z ]+) of the\s+call\.[^]*?<pre[^>]*>([^]*?)<\/pre>/.exec(page) ?? [];
  const [line = '', ...more] = plain(shown).split('\n');
  const [method = '', path = ''] = line.split(' ');
  const at = more.indexOf('{');
  const headers = (at === -1 ? more : more.slice(0, at)).map((one): [string, string] => {
    const [name = '', value = ''] = one.split(': ');
    return [name.toLowerCase(), value];
  });
  expect(rest).toBe(
    `${headers.length === 0 ? '' : 'other '}headers${call.method === 'GET' || at !== -1 ? '' : ' and body'}`,
  );
  const json = at === -1 ? call.json : (JSON.parse(more.slice(at).join('\n')) as unknown);
  return { method, path, headers: { ...call.headers, ...Object.fromEntries(headers) }, json };
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
    [
      'a payment across the border under SEPA',
      () => ({
        ...posted({}, { ...payment, creditorAccount: { iban: 'DE89370400440532013000' } }),
        path: '/v1/payments/SEPA-Credit-Transfer',
      }),
    ],
    [
      'an address to visit of somebody else',
      () => ({ method: 'POST', path: '/sandbox/visits', json: { uri: 'https://evil.example/' } }),
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
    ['a delta with dates', () => got('deltaList=true&dateFrom=2026-11-10')],
    ['two page sizes', () => got('pageSize=10&itemsPerPage=20')],
    ['two wrong parameters', () => got('pageSize=0&bookingStatus=x')],
    ['an unknown entry', () => got('entryReferenceFrom=nope')],
    ['a cursor that no link has', () => got('bookingStatus=both&cursor=abc')],
    ['a flag that is no flag', () => got('bookingStatus=both&deltaList=maybe')],
  ])('is accepted as it stands after %s', async (_what, make) => {
    const call = make();
    const refused = await send(call);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    const again = await corrected(call, refused.headers.get('x-request-id') ?? '');
    const answer = await send(again);
    expect([again.path, answer.status, answer.text]).toEqual([
      again.path,
      call.path.startsWith('/v1/accounts') || call.path === '/sandbox/visits' ? 200 : 201,
      expect.any(String),
    ]);
  });

  it('has a different endToEndIdentification for each refused payment, so that two of them do not look like one payment that was sent twice', async () => {
    const references = await Promise.all(
      [1, 2].map(async () => {
        const call = posted({}, {});
        const refused = await send(call);
        const { json } = await corrected(call, refused.headers.get('x-request-id') ?? '');
        return (json as { readonly endToEndIdentification: string }).endToEndIdentification;
      }),
    );
    expect(new Set(references).size).toBe(2);
  });

  it('is not shown for a payment under another product, whose product the answer names', async () => {
    const created = await send(posted({}));
    const { paymentId } = JSON.parse(created.text) as { readonly paymentId: string };
    const call = { method: 'GET', path: `/v1/payments/SEPA-Credit-Transfer/${paymentId}` };
    const refused = await send(call);
    expect(refused.status).toBe(403);
    const id = refused.headers.get('x-request-id') ?? '';
    const page = await (await user.get(`/workspace/requests/${id}`)).text();
    expect(page).toContain('Location header of the POST');
    expect(page).not.toContain('Corrected request');
  });
});
