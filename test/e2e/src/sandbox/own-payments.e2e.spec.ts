import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import {
  bulkPath,
  bulkPayment,
  consentBody,
  dayFrom,
  domesticPayment,
  initiate,
  listPaths,
  parseInitiated,
  periodicPath,
  periodicPayment,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { domesticProduct, homeCurrency } from '@xs2a/test-support/home';
import { bodyOf } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';

let world: World;
let tpp: TppClient;
let token: string;
beforeAll(async () => {
  world = await World.ofLane();
  tpp = await world.newTpp(['PSP_AI', 'PSP_PI']);
  token = await tpp.applicationToken();
});
afterAll(async () => world.stop());

const read = async <Body>(path: string, by = token): Promise<Body> =>
  bodyOf<Body>(await tpp.call('GET', path, by), 200);
interface Links {
  readonly _links: { readonly first?: { readonly href: string }; readonly next?: { readonly href: string } };
}

describe('GET /sandbox/payments (contract 13)', () => {
  it('lists the payments of the caller, newest first, with links to them, and needs no role', async () => {
    expect(await read('/sandbox/payments')).toEqual({ payments: [], _links: {} });
    const psu = await world.person('100.00');
    const iban = psu.accounts[0]?.iban ?? '';
    const single = await initiate(tpp, token, domesticPayment(iban, '12.50'));
    await walkAndApprove(world.browser(), single.scaRedirect, psu);
    const json = bulkPayment(iban, ['1.00', '2.00']);
    const bulk = parseInitiated(await tpp.call('POST', bulkPath, token, { json }), bulkPath);
    const shown = (paymentId: string, paymentService: string, transactionStatus: string, amount: string) => ({
      paymentId,
      paymentService,
      paymentProduct: domesticProduct,
      transactionStatus,
      amount: { currency: homeCurrency, amount },
      createdAt: expect.any(String),
      _links: { self: { href: `/v1/${paymentService}/${domesticProduct}/${paymentId}` } },
    });
    const expected = [
      shown(bulk.paymentId, 'bulk-payments', 'RCVD', '3.00'),
      { ...shown(single.paymentId, 'payments', 'ACCP', '12.50'), dueAt: expect.any(String) },
    ];
    const withoutRolePayments = await tpp.applicationToken('PSP_AI');
    expect(await read('/sandbox/payments', withoutRolePayments)).toEqual({ payments: expected, _links: {} });
    for (const { _links } of expected) await read(_links.self.href);
    const first = await read<Links>('/sandbox/payments?pageSize=1');
    expect(first).toMatchObject({ payments: expected.slice(0, 1) });
    expect(await read(first._links.next?.href ?? '')).toEqual({
      payments: expected.slice(1),
      _links: { first: { href: '/sandbox/payments?pageSize=1' } },
    });
  });

  it('lists neither the payments of another TPP nor cleared ones', async () => {
    const other = await world.newTpp(['PSP_PI']);
    const ofOther = await other.applicationToken('PSP_PI');
    expect(bodyOf(await other.call('GET', '/sandbox/payments', ofOther), 200)).toEqual({
      payments: [],
      _links: {},
    });
    const psu = await world.person('100.00');
    await initiate(other, ofOther, domesticPayment(psu.accounts[0]?.iban ?? ''));
    expect((await other.call('DELETE', '/sandbox/payments', ofOther)).status).toBe(204);
    expect(bodyOf(await other.call('GET', '/sandbox/payments', ofOther), 200)).toMatchObject({
      payments: [],
    });
  });
});

describe('fundsAvailable in GET /sandbox/payments (contract 13)', () => {
  it('is false once the account did not cover a signed payment', async () => {
    const psu = await world.person('1.00');
    const single = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? '', '12.50'));
    await walkAndApprove(world.browser(), single.scaRedirect, psu);
    expect((await tpp.call('POST', `/sandbox/payments/${single.paymentId}/settle`, token)).status).toBe(204);
    const { payments } = await read<{ readonly payments: readonly object[] }>('/sandbox/payments');
    const { paymentId } = single;
    expect(payments).toContainEqual(
      expect.objectContaining({ paymentId, transactionStatus: 'ACCP', fundsAvailable: false }),
    );
  });
});

describe('dueAt in GET /sandbox/payments (contract 13)', () => {
  it('is the time of the next execution of a payment or an order, until there is none', async () => {
    const psu = await world.person('100.00');
    const iban = psu.accounts[0]?.iban ?? '';
    const dueOf = async (paymentId: string): Promise<string | undefined> => {
      const { payments } = await read<{
        readonly payments: readonly { readonly paymentId: string; readonly dueAt?: string }[];
      }>('/sandbox/payments');
      return payments.find((one) => one.paymentId === paymentId)?.dueAt;
    };
    const single = await initiate(tpp, token, domesticPayment(iban, '1.00'));
    expect(await dueOf(single.paymentId)).toBeUndefined();
    const before = await sandboxNow(world);
    await walkAndApprove(world.browser(), single.scaRedirect, psu);
    expect(((await dueOf(single.paymentId)) ?? '') > before).toBe(true);
    expect((await tpp.call('POST', `/sandbox/payments/${single.paymentId}/settle`, token)).status).toBe(204);
    expect(await dueOf(single.paymentId)).toBeUndefined();
    const first = dayFrom(await sandboxNow(world), 3);
    const order = await initiate(tpp, token, periodicPayment(iban, first), {}, periodicPath);
    await walkAndApprove(world.browser(), order.scaRedirect, psu);
    const [earliest, due] = [dayFrom(await sandboxNow(world), 2), await dueOf(order.paymentId)];
    expect((due ?? '') > earliest).toBe(true);
    expect((await tpp.call('DELETE', order.path, token)).status).toBe(204);
    expect(await dueOf(order.paymentId)).toBeUndefined();
  });
});

describe('GET /sandbox/payments/{paymentId}/timeline (contract 13)', () => {
  it('shows what happened to a payment, from the POST to the settlement', async () => {
    const psu = await world.person('100.00');
    const { paymentId, scaRedirect } = await initiate(
      tpp,
      token,
      domesticPayment(psu.accounts[0]?.iban ?? ''),
    );
    await walkAndApprove(world.browser(), scaRedirect, psu);
    expect((await tpp.call('POST', `/sandbox/payments/${paymentId}/settle`, token)).status).toBe(204);
    const { events, leftOut, _links } = await read<{
      readonly events: readonly { readonly time: string; readonly type: string; readonly status: string }[];
      readonly leftOut: number;
      readonly _links: { readonly self: { readonly href: string } };
    }>(`/sandbox/payments/${paymentId}/timeline`);
    const steps = events
      .filter(({ type }) => type !== 'payee-verified')
      .map(({ type, status }) => [type, status]);
    expect(steps.slice(0, 5)).toEqual([
      ['initiated', 'RCVD'],
      ['accepted', 'ACCP'],
      ['signed', 'ACCP'],
      ['brought-forward', 'ACCP'],
      ['settlement-started', 'ACSP'],
    ]);
    expect(steps.at(-1)).toEqual(['settled', 'ACSC']);
    expect(leftOut).toBe(0);
    expect(await read(_links.self.href)).toMatchObject({ transactionStatus: 'ACSC' });
    const times = events.map(({ time }) => time);
    expect(times).toEqual(times.toSorted());
    expect(JSON.stringify(events)).not.toContain(psu.psuId);
  });
});

describe('GET /sandbox/consents (contract 13)', () => {
  it('lists the consents of the caller, newest first, with the number of accounts, and needs no role', async () => {
    expect(await read('/sandbox/consents')).toEqual({ consents: [], _links: {} });
    const psu = await world.person('1.00', '2.00');
    const validUntil = dayFrom(await sandboxNow(world), 30);
    const ids: string[] = [];
    for (const count of [1, 2]) {
      const json = consentBody(
        psu.accounts.slice(0, count).map(({ iban }) => iban),
        validUntil,
      );
      const answer = await tpp.call('POST', '/v1/consents', token, {
        json,
        headers: { 'psu-id': psu.psuId },
      });
      ids.unshift(bodyOf<{ consentId: string }>(answer, 201).consentId);
    }
    const expected = ids.map((consentId, index) => ({
      consentId,
      consentStatus: 'received',
      validUntil,
      recurringIndicator: true,
      accounts: 2 - index,
      _links: { self: { href: `/v1/consents/${consentId}` } },
    }));
    const withoutRole = await tpp.applicationToken('PSP_PI');
    expect(await read('/sandbox/consents', withoutRole)).toEqual({ consents: expected, _links: {} });
    const first = await read<Links>('/sandbox/consents?pageSize=1');
    expect(first).toMatchObject({ consents: expected.slice(0, 1) });
    expect(await read(first._links.next?.href ?? '')).toEqual({
      consents: expected.slice(1),
      _links: { first: { href: '/sandbox/consents?pageSize=1' } },
    });
  });
});

describe('GET /sandbox/consents/{consentId}/timeline (contract 13)', () => {
  it('shows what happened to a consent, and needs no role', async () => {
    const psu = await world.person('1.00');
    const json = consentBody([psu.accounts[0]?.iban ?? ''], dayFrom(await sandboxNow(world), 30));
    const headers = { 'psu-id': psu.psuId };
    const created = await tpp.call('POST', '/v1/consents', token, { json, headers });
    const { consentId } = bodyOf<{ consentId: string }>(created, 201);
    expect((await tpp.call('DELETE', `/v1/consents/${consentId}`, token)).status).toBe(204);
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    const path = `/sandbox/consents/${consentId}/timeline`;
    expect(await read(path, await tpp.applicationToken('PSP_PI'))).toEqual({
      events: [
        { time, type: 'created', status: 'received' },
        {
          time,
          type: 'rejected',
          status: 'rejected',
          reason: 'terminated-by-tpp',
          authorisationId: expect.any(String),
        },
      ],
      leftOut: 0,
      _links: { self: { href: `/v1/consents/${consentId}` } },
    });
  });
});

describe('the pages of own payments and consents (contract 13)', () => {
  it.each([
    ['payments?pageSize=0', 'pageSize'],
    ['payments?cursor=x', 'cursor'],
    ['consents?pageSize=501', 'pageSize'],
    ['consents?cursor=x', 'cursor'],
  ])('refuse %s', async (path, violation) => {
    const answer = await tpp.call('GET', `/sandbox/${path}`, token);
    expect([answer.status, listPaths(answer)]).toEqual([400, [violation]]);
  });
});
