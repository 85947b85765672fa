import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove, walkAndDecline } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import {
  bulkPath,
  bulkPayment,
  listCodes,
  consentBody,
  createConsent,
  dayFrom,
  domesticPath,
  domesticPayment,
  initiate,
  listPaths,
  periodicPath,
  periodicPayment,
  sandboxNow,
  readStatus,
} from '@xs2a/test-support/requests';
import { initiateForSeveral, startFor } from '@xs2a/test-support/several-signers';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

const basketsPath = '/v1/signing-baskets';
interface Basket {
  readonly basketId: string;
  readonly path: string;
  readonly links: Readonly<Record<string, { readonly href: string }>>;
}

let world: World;
let tpp: TppClient;
let token: string;
let psu: FreshPsu;
let iban: string;
beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
});
beforeEach(async () => {
  token = await tpp.applicationToken();
  psu = await world.person('1000.00');
  iban = psu.accounts[0]?.iban ?? '';
});
afterAll(async () => world.stop());

const post = async (json: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  tpp.call('POST', basketsPath, token, { json, headers });
const basketIn = (answer: Answer): Basket => {
  if (answer.status !== 201) throw new Error(`POST basket answered ${answer.status}: ${answer.text}`);
  const { basketId, _links } = parseJson<{ basketId: string; _links: Basket['links'] }>(answer);
  return { basketId, path: `${basketsPath}/${basketId}`, links: _links };
};
const summarise = (answer: Answer): unknown[] => [answer.status, ...listCodes(answer), ...listPaths(answer)];
const pay = async (amount = '12.50', debtor = iban, headers: Readonly<Record<string, string>> = {}) =>
  initiate(tpp, token, domesticPayment(debtor, amount), headers);
const consent = async (who = psu, debtor = iban, changes: Readonly<Record<string, unknown>> = {}) => {
  const validUntil = dayFrom(await sandboxNow(world), 30);
  const answer = await createConsent(tpp, who.psuId, consentBody([debtor], validUntil, changes));
  return parseJson<{ consentId: string }>(answer).consentId;
};
const read = async (path: string): Promise<Record<string, unknown>> =>
  parseJson(await tpp.call('GET', path, token));

describe('POST /signing-baskets (contract 10)', () => {
  it('returns 201 with RCVD, links and headers, and the same response for the same key', async () => {
    const { paymentId } = await pay();
    const headers = { 'idempotency-key': randomUUID() };
    const answer = await post({ paymentIds: [paymentId] }, headers);
    const { basketId, links } = basketIn(answer);
    expect(parseJson(answer)).toMatchObject({ transactionStatus: 'RCVD' });
    expect(Object.keys(links)).toEqual(['scaRedirect', 'self', 'status', 'scaStatus']);
    expect(answer.headers.get('location')).toBe(`${basketsPath}/${basketId}`);
    expect(answer.headers.get('aspsp-sca-approach')).toBe('REDIRECT');
    expect((await post({ paymentIds: [paymentId] }, headers)).text).toBe(answer.text);
    const other = await post({ paymentIds: [paymentId], consentIds: ['x'] }, headers);
    expect(summarise(other).slice(0, 2)).toEqual([409, 'STATUS_INVALID']);
  });

  it('returns 400 FORMAT_ERROR for malformed bodies, with the path of each error', async () => {
    const eleven = Array.from({ length: 11 }, (_one, index) => `p${index}`);
    expect(summarise(await post({}))).toEqual([400, 'FORMAT_ERROR', 'paymentIds']);
    expect(summarise(await post({ paymentIds: eleven }))).toEqual([400, 'FORMAT_ERROR', 'paymentIds']);
    expect(listPaths(await post({ paymentIds: ['a', 'a', 1], other: 1 }))).toEqual([
      'paymentIds[1]',
      'paymentIds[2]',
      'other',
    ]);
  });

  it('returns 400 RESOURCE_UNKNOWN with the path, byte for byte the same for unknown items and for items of another TPP', async () => {
    const { paymentId } = await pay();
    const stranger = world.tpp('sandbox-tpp-2');
    const foreign = await initiate(stranger, await stranger.applicationToken(), domesticPayment(iban));
    const unknown = await post({ paymentIds: [paymentId, randomUUID()] });
    expect(summarise(unknown)).toEqual([400, 'RESOURCE_UNKNOWN', 'paymentIds[1]']);
    expect((await post({ paymentIds: [paymentId, foreign.paymentId] })).text).toBe(unknown.text);
    expect(summarise(await post({ consentIds: [randomUUID()] }))).toEqual([
      400,
      'RESOURCE_UNKNOWN',
      'consentIds[0]',
    ]);
  });

  it('returns 400 REFERENCE_MIX_INVALID for a periodic order or for items with different owners', async () => {
    const today = dayFrom(await sandboxNow(world), 1);
    const order = await initiate(tpp, token, periodicPayment(iban, today), {}, periodicPath);
    expect(summarise(await post({ paymentIds: [order.paymentId] }))).toEqual([
      400,
      'REFERENCE_MIX_INVALID',
      'paymentIds[0]',
    ]);
    const other = await world.person('10.00');
    const theirs = await pay('1.00', other.accounts[0]?.iban);
    const mixed = await post({ paymentIds: [(await pay()).paymentId, theirs.paymentId] });
    expect(summarise(mixed).slice(0, 2)).toEqual([400, 'REFERENCE_MIX_INVALID']);
    const consents = await post({
      paymentIds: [(await pay()).paymentId],
      consentIds: [await consent(other, other.accounts[0]?.iban)],
    });
    expect(summarise(consents).slice(0, 2)).toEqual([400, 'REFERENCE_MIX_INVALID']);
  });

  it('returns 409 REFERENCE_STATUS_INVALID for an item whose status is not RCVD or received', async () => {
    const payment = await pay();
    await tpp.call('DELETE', payment.path, token);
    expect(summarise(await post({ paymentIds: [payment.paymentId] }))).toEqual([
      409,
      'REFERENCE_STATUS_INVALID',
      'paymentIds[0]',
    ]);
  });

  it('also requires PSP_AI if the basket contains consents, and refuses any other token or role', async () => {
    const consentIds = [await consent()];
    const piOnly = await tpp.applicationToken('PSP_PI');
    const answer = await tpp.call('POST', basketsPath, piOnly, { json: { consentIds } });
    expect(summarise(answer).slice(0, 2)).toEqual([401, 'TOKEN_INVALID']);
    const piTpp = await world.newTpp(['PSP_PI']);
    const piToken = await piTpp.applicationToken('PSP_PI');
    expect(listCodes(await piTpp.call('POST', basketsPath, piToken, { json: { consentIds } }))).toEqual([
      'ROLE_INVALID',
    ]);
    const aiTpp = world.tpp('sandbox-tpp-ai-only');
    const aiToken = await aiTpp.applicationToken('PSP_AI');
    expect(listCodes(await aiTpp.call('POST', basketsPath, aiToken, { json: { consentIds } }))).toEqual([
      'ROLE_INVALID',
    ]);
  });

  it('creates baskets for which another TPP always gets 404 RESOURCE_UNKNOWN', async () => {
    const { path } = basketIn(await post({ paymentIds: [(await pay()).paymentId] }));
    const stranger = world.tpp('sandbox-tpp-2');
    const theirs = await stranger.applicationToken();
    const calls = [
      ['GET', path],
      ['GET', `${path}/status`],
      ['DELETE', path],
      ['POST', `${path}/authorisations`],
      ['GET', `${path}/authorisations`],
      ['GET', `${path}/authorisations/${randomUUID()}`],
    ] as const;
    for (const [method, at] of calls)
      expect(summarise(await stranger.call(method, at, theirs)).slice(0, 2)).toEqual([
        404,
        'RESOURCE_UNKNOWN',
      ]);
  });
});

describe('an item of a basket (contract 10: RESOURCE_BLOCKED)', () => {
  it('cannot be authorised, deleted or added to another basket, but can be read', async () => {
    const payment = await pay();
    const consentId = await consent();
    const consentPath = `/v1/consents/${consentId}`;
    basketIn(await post({ paymentIds: [payment.paymentId], consentIds: [consentId] }));
    const blocked = [400, 'RESOURCE_BLOCKED'];
    for (const path of [payment.path, consentPath]) {
      expect(summarise(await tpp.call('POST', `${path}/authorisations`, token)).slice(0, 2)).toEqual(blocked);
      expect(summarise(await tpp.call('DELETE', path, token)).slice(0, 2)).toEqual(blocked);
      expect((await tpp.call('GET', path, token)).status).toBe(200);
      expect((await tpp.call('GET', `${path}/status`, token)).status).toBe(200);
    }
    expect(summarise(await post({ paymentIds: [payment.paymentId] }))).toEqual([...blocked, 'paymentIds[0]']);
    expect(summarise(await post({ consentIds: [consentId] }))).toEqual([...blocked, 'consentIds[0]']);
    const own = await world.browser().open(payment.scaRedirect);
    expect([own.status, own.text]).toEqual([410, expect.stringContaining('signed together with others')]);
    const browser = world.browser();
    const request = tpp.authorizationRequest('PSP_AI', consentId);
    await browser.open(request.url);
    expect(new URL(browser.leftTo ?? '').searchParams.get('error')).toBe('invalid_request');
  });

  it('can be used again once the basket has been deleted and is CANC', async () => {
    const payment = await pay();
    const consentId = await consent();
    const { path } = basketIn(await post({ paymentIds: [payment.paymentId], consentIds: [consentId] }));
    const headers = { 'idempotency-key': randomUUID() };
    expect((await tpp.call('DELETE', path, token, { headers })).status).toBe(204);
    expect(await read(`${path}/status`)).toEqual({ transactionStatus: 'CANC' });
    expect((await tpp.call('DELETE', path, token, { headers })).status).toBe(204);
    expect(summarise(await tpp.call('DELETE', path, token)).slice(0, 2)).toEqual([
      405,
      'CANCELLATION_INVALID',
    ]);
    await walkAndApprove(world.browser(), payment.scaRedirect, psu);
    expect(await readStatus(tpp, token, payment.path)).toMatchObject({ transactionStatus: 'ACCP' });
    expect((await tpp.call('DELETE', `/v1/consents/${consentId}`, token)).status).toBe(204);
  });
});

describe('signing a basket on the bank’s pages (contract 10, 12)', () => {
  it('shows a payment, a bulk and a consent and signs them with one SCA; the basket becomes ACTC, then ACSC', async () => {
    const payment = await pay('10.00');
    const bulk = await initiate(tpp, token, bulkPayment(iban, ['1.50', '2.50']), {}, bulkPath);
    const consentId = await consent();
    const basket = basketIn(
      await post({ paymentIds: [payment.paymentId, bulk.paymentId], consentIds: [consentId] }),
    );
    const shown: string[] = [];
    const watch = (_step: string, { text }: { readonly text: string }): number => shown.push(text);
    await walkAndApprove(world.browser(), basket.links['scaRedirect']?.href ?? '', psu, { watch });
    const review = shown.join(' ').replaceAll(/\s+/g, ' ');
    for (const part of ['14.00', '10.00', '1.50', '2.50', 'Petar Ivanov']) expect(review).toContain(part);
    expect(await read(basket.path)).toMatchObject({
      payments: [payment.paymentId, bulk.paymentId],
      consents: [consentId],
      transactionStatus: 'ACTC',
      items: [
        { paymentId: payment.paymentId, transactionStatus: 'ACCP' },
        { paymentId: bulk.paymentId, transactionStatus: 'ACCP' },
        { consentId, consentStatus: 'valid' },
      ],
    });
    expect(await read(basket.links['scaStatus']?.href ?? '')).toEqual({ scaStatus: 'finalised' });
    expect(summarise(await tpp.call('DELETE', basket.path, token)).slice(0, 2)).toEqual([
      405,
      'CANCELLATION_INVALID',
    ]);
    const started = await tpp.call('POST', `${basket.path}/authorisations`, token);
    expect(summarise(started).slice(0, 2)).toEqual([409, 'STATUS_INVALID']);
    await world.advance('PT1M');
    expect(await read(`${basket.path}/status`)).toEqual({ transactionStatus: 'ACSC' });
  });

  it('leaves a payment unfunded if funds are insufficient, and the basket still becomes ACSC', async () => {
    const [good, tooMuch] = [await pay('1.00'), await pay('5000.00')];
    const basket = basketIn(await post({ paymentIds: [good.paymentId, tooMuch.paymentId] }));
    await walkAndApprove(world.browser(), basket.links['scaRedirect']?.href ?? '', psu);
    await world.advance('PT1M');
    expect(await read(basket.path)).toMatchObject({
      transactionStatus: 'ACSC',
      items: [
        { paymentId: good.paymentId, transactionStatus: 'ACSC', fundsAvailable: true },
        { paymentId: tooMuch.paymentId, transactionStatus: 'ACCP', fundsAvailable: false },
      ],
    });
  });

  it('lets the PSU pick accounts once for all consents that name none', async () => {
    const picking = { access: { accounts: [], balances: [], transactions: [] } };
    const consentIds = [await consent(psu, iban, picking)];
    const basket = basketIn(await post({ paymentIds: [(await pay()).paymentId], consentIds }));
    await walkAndApprove(world.browser(), basket.links['scaRedirect']?.href ?? '', psu);
    expect(await read(`/v1/consents/${consentIds[0]}`)).toMatchObject({
      consentStatus: 'valid',
      access: { accounts: [{ iban }] },
    });
  });

  it('rejects every item if the PSU refuses', async () => {
    const payment = await pay();
    const consentId = await consent();
    const basket = basketIn(await post({ paymentIds: [payment.paymentId], consentIds: [consentId] }));
    await walkAndDecline(world.browser(), basket.links['scaRedirect']?.href ?? '', psu, 'refuse');
    expect(await read(`${basket.path}/status`)).toMatchObject({ transactionStatus: 'RJCT' });
    expect(await readStatus(tpp, token, payment.path)).toMatchObject({ transactionStatus: 'RJCT' });
    expect(await read(`/v1/consents/${consentId}/status`)).toEqual({ consentStatus: 'rejected' });
  });

  it('rejects every item if a payment expires before the signature', async () => {
    const payment = await pay();
    const consentId = await consent();
    const basket = basketIn(await post({ paymentIds: [payment.paymentId], consentIds: [consentId] }));
    await world.advance('PT15M1S');
    token = await tpp.applicationToken();
    expect(await read(`${basket.path}/status`)).toMatchObject({ transactionStatus: 'RJCT' });
    expect(await readStatus(tpp, token, payment.path)).toMatchObject({ transactionStatus: 'RJCT' });
    expect(await read(`/v1/consents/${consentId}/status`)).toEqual({ consentStatus: 'rejected' });
  });

  it('with two signers, through startAuthorisation: the basket is PATC after the first signature and ACTC after the second', async () => {
    const corporate = await world.corporate(2, 2);
    const [first, second] = corporate.signers;
    if (first === undefined || second === undefined) throw new Error('two signers');
    const one = await initiateForSeveral(tpp, token, corporate.iban);
    const consentId = await consent(first, corporate.iban);
    const basket = basketIn(await post({ paymentIds: [one.id], consentIds: [consentId] }));
    expect(Object.keys(basket.links)).toEqual(['startAuthorisation', 'self', 'status']);
    const startPath = basket.links['startAuthorisation']?.href ?? '';
    const sign = async (who: FreshPsu): Promise<void> => {
      const { scaRedirect } = await startFor(tpp, token, { startPath }, who);
      await walkAndApprove(world.browser(), scaRedirect, who);
    };
    await sign(second);
    expect(await read(`${basket.path}/status`)).toEqual({ transactionStatus: 'PATC' });
    expect(summarise(await tpp.call('DELETE', basket.path, token)).slice(0, 2)).toEqual([
      405,
      'CANCELLATION_INVALID',
    ]);
    await sign(first);
    expect(await read(basket.path)).toMatchObject({
      transactionStatus: 'ACTC',
      items: [
        { paymentId: one.id, transactionStatus: 'ACCP' },
        { consentId, consentStatus: 'valid' },
      ],
    });
    expect((await read(`${basket.path}/authorisations`))['authorisationIds']).toHaveLength(2);
  });

  it('also works without /v1, but never under a payment path', async () => {
    const { basketId } = basketIn(await post({ paymentIds: [(await pay()).paymentId] }));
    expect(await read(`/signing-baskets/${basketId}/status`)).toEqual({ transactionStatus: 'RCVD' });
    expect((await tpp.call('GET', `${domesticPath}/${basketId}`, token)).status).toBe(404);
  });
});
