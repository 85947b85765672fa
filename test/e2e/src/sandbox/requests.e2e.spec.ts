import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { domesticPath, domesticPayment, listPaths, until } from '@xs2a/test-support/requests';
import { homeCurrency } from '@xs2a/test-support/home';
import { bodyOf } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';

let world: World;
let tpp: TppClient;
let token: string;
beforeAll(async () => {
  world = await World.ofLane();
  tpp = await world.newTpp(['PSP_AI', 'PSP_PI']);
  token = await tpp.applicationToken();
});
afterAll(async () => world.stop());

interface Page {
  readonly requests: readonly {
    readonly time: string;
    readonly operation: string;
    readonly status: number;
    readonly code?: string;
    readonly path?: string;
    readonly requestId: string;
  }[];
  readonly _links: { readonly first?: { readonly href: string }; readonly next?: { readonly href: string } };
}
const listed = async (path = '/sandbox/requests', by = tpp): Promise<Page> =>
  bodyOf<Page>(await by.call('GET', path, by === tpp ? token : await by.applicationToken()), 200);
/** Makes a call and returns its request id. */
const refused = async (changes: Readonly<Record<string, unknown>>): Promise<string> => {
  const requestId = randomUUID();
  const { accounts } = await world.person();
  await tpp.call('POST', domesticPath, token, {
    json: domesticPayment(accounts[0]?.iban ?? '', '12.50', changes),
    headers: { 'x-request-id': requestId },
  });
  return requestId;
};

describe('GET /sandbox/requests (contract 13)', () => {
  it('lists the calls of the caller, newest first, with the field of the first violation', async () => {
    const before = Date.now();
    const wrong = await refused({ instructedAmount: { currency: homeCurrency, amount: '12,50' }, iban: 1 });
    const unknown = await refused({ IvanIvanov: 1 });
    const served = randomUUID();
    await tpp.call('GET', '/v1/consents', token, { headers: { 'x-request-id': served } });
    const { requests } = await until(listed, (page) => page.requests.some((one) => one.requestId === served));
    const mine = requests.filter(({ requestId }) => [wrong, unknown, served].includes(requestId));
    expect(mine).toEqual([
      { time: expect.any(String), operation: 'listConsents', status: 200, requestId: served },
      {
        time: expect.any(String),
        operation: 'initiatePayment',
        status: 400,
        code: 'FORMAT_ERROR',
        path: '?',
        requestId: unknown,
      },
      {
        time: expect.any(String),
        operation: 'initiatePayment',
        status: 400,
        code: 'FORMAT_ERROR',
        path: 'instructedAmount.amount',
        requestId: wrong,
      },
    ]);
    for (const { time } of mine) {
      expect(Date.parse(time)).toBeGreaterThanOrEqual(before - 1000);
      expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
    }
  });

  it('never lists the calls of another TPP', async () => {
    const other = await world.newTpp(['PSP_AI', 'PSP_PI']);
    const mine = await refused({ IvanIvanov: 1 });
    await until(listed, (page) => page.requests.some((one) => one.requestId === mine));
    const requestId = randomUUID();
    const ofOther = await other.applicationToken();
    await other.call('GET', '/sandbox/clock', ofOther, { headers: { 'x-request-id': requestId } });
    const page = await until(
      async () => listed('/sandbox/requests', other),
      ({ requests }) => requests.some((one) => one.requestId === requestId),
    );
    expect(page.requests.map((one) => one.requestId)).not.toContain(mine);
    expect((await listed()).requests.map((one) => one.requestId)).not.toContain(requestId);
  });

  it('pages through the links without a gap or a repeat', async () => {
    const sent: string[] = [];
    for (let call = 0; call < 5; call += 1) {
      const requestId = randomUUID();
      await tpp.call('GET', '/v1/consents', token, { headers: { 'x-request-id': requestId } });
      sent.unshift(requestId);
    }
    await until(listed, (page) =>
      sent.every((one) => page.requests.some(({ requestId }) => requestId === one)),
    );
    const found: string[] = [];
    let page = await listed('/sandbox/requests?pageSize=2');
    expect(page._links.first).toBeUndefined();
    for (;;) {
      expect(page.requests.length).toBeLessThanOrEqual(2);
      found.push(...page.requests.map(({ requestId }) => requestId));
      const next = page._links.next?.href;
      if (next === undefined) break;
      page = await listed(next);
      expect(page._links.first).toEqual({ href: '/sandbox/requests?pageSize=2' });
    }
    expect(new Set(found).size).toBe(found.length);
    expect(found.filter((one) => sent.includes(one))).toEqual(sent);
  });

  it.each([
    ['pageSize=0', 'pageSize'],
    ['pageSize=501', 'pageSize'],
    ['cursor=x', 'cursor'],
    ['pageSize=2&pageSize=3', 'pageSize'],
  ])('refuses ?%s', async (query, path) => {
    const answer = await tpp.call('GET', `/sandbox/requests?${query}`, token);
    expect([answer.status, listPaths(answer)]).toEqual([400, [path]]);
  });
});
