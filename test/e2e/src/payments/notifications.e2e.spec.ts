import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { parseJson, send } from '@xs2a/tpp-client/http';
import { makeLayout, readJson, writePrivately } from '@xs2a/sandbox/layout';
import { publishedKeys, verifyNotification } from '@xs2a/tpp-client/notification-signature';
import { walkAndApprove, walkAndDecline } from '@xs2a/tpp-client/psu-walk';
import { TppClient } from '@xs2a/tpp-client/tpp-client';
import { generateKeyPairSync } from 'node:crypto';
import {
  consentBody,
  createConsent,
  dayFrom,
  domesticPayment,
  domesticPath,
  initiate,
  listPaths,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { initiateForSeveral, startFor } from '@xs2a/test-support/several-signers';
import { World } from '@xs2a/test-support/world';

let world: World;
let receiver: HttpReceiver;
let tpp: TppClient;
let token: string;
beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => world.stop());
beforeEach(async () => {
  receiver = await HttpReceiver.start();
  tpp = await registered(receiver.url);
  token = await tpp.applicationToken();
});
afterEach(async () => receiver.stop());

/** Registers a new TPP with the receiver's origin. */
const registered = async (origin: string): Promise<TppClient> => {
  const redirectUri = `${origin}/callback`;
  const json = { name: 'Notified', redirectUris: [redirectUri], roles: ['PSP_AI', 'PSP_PI'] };
  const { clientId, clientSecret } = parseJson<{ clientId: string; clientSecret: string }>(
    await send('POST', `${world.baseUrl}/sandbox/tpps`, { json }),
  );
  return new TppClient(world.baseUrl, { clientId, clientSecret, redirectUri });
};
const pushTo = (content?: string): Record<string, string> => ({
  'tpp-notification-uri': `${receiver.url}/push`,
  ...(content === undefined ? {} : { 'tpp-notification-content-preferred': content }),
});

interface Notified {
  readonly paymentId?: string;
  readonly consentId?: string;
  readonly basketId?: string;
  readonly transactionStatus?: string;
  readonly consentStatus?: string;
  readonly scaStatus?: string;
  readonly fundsAvailable?: boolean;
  readonly authorisationId?: string;
  readonly transactionId?: string;
  readonly timestamp: string;
  readonly _links: Readonly<Record<string, { readonly href: string }>>;
}
/** The notifications received, without duplicates. */
const receivedNotifications = (): Notified[] => {
  const byId = new Map(receiver.posts.map(({ headers, body }) => [headers['x-request-id'], body]));
  return [...byId.values()].map((body) => JSON.parse(body) as Notified);
};
/** Waits until the last of the selected notifications has this status. */
const untilLast = async (
  status: string,
  isPicked: (one: Notified) => boolean = () => true,
): Promise<Notified[]> => {
  for (;;) {
    const all = receivedNotifications().filter(isPicked);
    const last = all.at(-1);
    if (last?.transactionStatus === status || last?.consentStatus === status) return all;
    await receiver.received(receiver.posts.length + 1);
  }
};
const paid = async (headers: Record<string, string>, amount = '12.50') => {
  const psu = await world.person('100.00');
  const payment = await initiate(tpp, token, domesticPayment(psu.accounts[0]?.iban ?? '', amount), headers);
  await walkAndApprove(world.browser(), payment.scaRedirect, psu);
  return payment;
};

describe('pushing the status of a payment (spec 6, contract 11)', () => {
  it('sends each change, in order, signed with a key in the discovery document’s JWKS', async () => {
    const payment = await paid(pushTo());
    await world.advance('PT1M1S');
    const all = await untilLast('ACSC');
    expect(all.map(({ transactionStatus, scaStatus }) => [transactionStatus, scaStatus])).toEqual([
      ['ACCP', 'psuIdentified'],
      ['ACCP', 'finalised'],
      ['ACSP', undefined],
      ['ACSC', undefined],
    ]);
    for (const one of all) {
      expect(one).toMatchObject({
        paymentId: payment.paymentId,
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      });
      expect(one._links).toMatchObject({
        self: { href: payment.path },
        status: { href: `${payment.path}/status` },
      });
      const answer = await tpp.call('GET', one._links['self']?.href ?? '', token);
      expect(answer.status).toBe(200);
    }
    expect(all.at(-1)?.fundsAvailable).toBe(true);
    const keys = await publishedKeys(world.baseUrl);
    for (const { headers, body, path } of receiver.posts) {
      expect(path).toBe('/push');
      const verified = verifyNotification(body, String(headers['x-jws-signature']), keys);
      expect(verified).toEqual({
        header: expect.objectContaining({ alg: 'ES256', kid: keys[0]?.kid, iat: expect.any(Number) }),
      });
      // No notification may be signed before its change happened. This includes the last ones, whose changes
      // happened after the clock was moved by a minute.
      const { timestamp } = JSON.parse(body) as Notified;
      const iat = 'header' in verified ? Number(verified.header['iat']) : 0;
      expect(iat + 1).toBeGreaterThan(Date.parse(timestamp) / 1000);
      // With this header, the receiver validates iat although its own clock is behind (contract 13).
      const clock = String(headers['x-sandbox-clock']);
      expect(new Date(clock).toISOString()).toBe(clock);
      expect(Math.floor(Date.parse(clock) / 1000)).toBe(iat);
    }
  });

  it('with LAST, sends only the final status, even if it is ACCP without funds', async () => {
    await paid(pushTo('status=LAST'), '500.00');
    await world.advance('PT1M1S');
    const all = await untilLast('ACCP');
    expect(all).toMatchObject([{ transactionStatus: 'ACCP', fundsAvailable: false }]);
  });

  it('with PROCESS, reports a refusal and a cancellation, but nothing for a payment without the header', async () => {
    const psu = await world.person('100.00');
    const body = domesticPayment(psu.accounts[0]?.iban ?? '');
    const silent = await initiate(tpp, token, body);
    await tpp.call('DELETE', silent.path, token);
    const refused = await initiate(tpp, token, body, pushTo('status=PROCESS'));
    await walkAndDecline(world.browser(), refused.scaRedirect, psu, 'refuse');
    const cancelled = await initiate(tpp, token, body, pushTo('status=PROCESS'));
    await tpp.call('DELETE', cancelled.path, token);
    await receiver.received(3);
    const readStatuses = (id: string) =>
      receivedNotifications().flatMap(({ paymentId, transactionStatus }) =>
        paymentId === id ? [transactionStatus] : [],
      );
    expect(readStatuses(refused.paymentId)).toEqual(['ACCP', 'RJCT']);
    expect(readStatuses(cancelled.paymentId)).toEqual(['CANC']);
  });

  it('uses an address registered with an authorisation for all later notifications', async () => {
    const { iban, signers } = await world.corporate(2, 2);
    const payment = await initiateForSeveral(tpp, token, iban);
    for (const [index, signer] of signers.entries()) {
      const started = await startFor(
        tpp,
        token,
        payment,
        signer,
        index === 0 ? pushTo('status=PROCESS') : {},
      );
      await walkAndApprove(world.browser(), started.scaRedirect, signer);
    }
    await untilLast('ACCP');
    expect(receivedNotifications().map(({ transactionStatus }) => transactionStatus)).toEqual([
      'PATC',
      'ACCP',
    ]);
  });
});

describe('pushing the status of an order (contract 11)', () => {
  it('reports each occurrence with its transactionId, and the final status of the order', async () => {
    const psu = await world.person('100.00');
    const startDate = dayFrom(await sandboxNow(world), 0);
    const schedule = { startDate, endDate: startDate, frequency: 'Daily' };
    const answer = await tpp.call('POST', '/v1/periodic-payments/domestic', token, {
      json: domesticPayment(psu.accounts[0]?.iban ?? '', '12.50', schedule),
      headers: pushTo('status=PROCESS'),
    });
    expect([answer.status, answer.headers.get('aspsp-notification-support')]).toEqual([201, 'true']);
    const { paymentId, _links } = parseJson<{ paymentId: string; _links: Notified['_links'] }>(answer);
    await walkAndApprove(world.browser(), _links['scaRedirect']?.href ?? '', psu);
    await world.advance('PT1M1S');
    const all = await untilLast('ACSC');
    expect(all.map(({ transactionStatus }) => transactionStatus)).toEqual(['ACCP', 'ACSP', 'ACSC']);
    expect(all[1]).toMatchObject({
      paymentId,
      transactionId: expect.stringMatching(/^[\w-]{1,35}$/),
      fundsAvailable: true,
    });
    const order = await tpp.call('GET', all[1]?._links['self']?.href ?? '', token);
    const { occurrences } = parseJson<{ occurrences: { transactionId: string }[] }>(order);
    expect(occurrences[0]?.transactionId).toBe(all[1]?.transactionId);
  });
});

describe('pushing the status of a signing basket (contract 10, 11)', () => {
  interface Basket {
    readonly basketId: string;
    readonly path: string;
    readonly links: Notified['_links'];
  }
  const createBasketFrom = async (
    paymentIds: readonly string[],
    headers: Readonly<Record<string, string>>,
  ): Promise<Basket> => {
    const answer = await tpp.call('POST', '/v1/signing-baskets', token, { json: { paymentIds }, headers });
    const isAsked = 'tpp-notification-uri' in headers;
    expect([answer.status, answer.headers.get('aspsp-notification-support')]).toEqual([
      201,
      isAsked ? 'true' : null,
    ]);
    const { basketId, _links } = parseJson<{ basketId: string; _links: Basket['links'] }>(answer);
    return { basketId, path: `/v1/signing-baskets/${basketId}`, links: _links };
  };
  const payable = async (iban: string, headers: Readonly<Record<string, string>> = {}): Promise<string> =>
    (await initiate(tpp, token, domesticPayment(iban, '1.00'), headers)).paymentId;

  it('sends each change of the basket, signed and in order; changes of an item are sent only if the item is registered', async () => {
    const psu = await world.person('100.00');
    const iban = psu.accounts[0]?.iban ?? '';
    const watched = await payable(iban, pushTo('status=PROCESS'));
    const basket = await createBasketFrom([watched, await payable(iban)], pushTo());
    await walkAndApprove(world.browser(), basket.links['scaRedirect']?.href ?? '', psu);
    await world.advance('PT1M1S');
    const all = await untilLast('ACSC', ({ basketId }) => basketId === basket.basketId);
    expect(all.map(({ transactionStatus, scaStatus }) => [transactionStatus, scaStatus])).toEqual([
      ['ACTC', 'finalised'],
      ['ACSC', undefined],
    ]);
    for (const one of all) {
      expect(one.paymentId).toBeUndefined();
      expect(one._links).toMatchObject({
        self: { href: basket.path },
        status: { href: `${basket.path}/status` },
      });
      expect((await tpp.call('GET', one._links['self']?.href ?? '', token)).status).toBe(200);
    }
    const ofItems = receivedNotifications().filter(({ basketId }) => basketId === undefined);
    expect(ofItems.map(({ paymentId, transactionStatus }) => [paymentId, transactionStatus])).toEqual(
      ['ACCP', 'ACSP', 'ACSC'].map((status) => [watched, status]),
    );
    const keys = await publishedKeys(world.baseUrl);
    for (const { headers, body } of receiver.posts)
      expect(verifyNotification(body, String(headers['x-jws-signature']), keys)).toHaveProperty('header');
  });

  it('with SCA, reports each step of the PSU; with LAST, only the final status: completed, rejected, expired or deleted', async () => {
    const psu = await world.person('100.00');
    const iban = psu.accounts[0]?.iban ?? '';
    const basket = async (content: string): Promise<Basket> =>
      createBasketFrom([await payable(iban)], pushTo(`status=${content}`));
    const getPageUrl = ({ links }: Basket): string => links['scaRedirect']?.href ?? '';
    const steps = await basket('SCA');
    await walkAndApprove(world.browser(), getPageUrl(steps), psu);
    const [completed, rejected, deleted] = [await basket('LAST'), await basket('LAST'), await basket('LAST')];
    await walkAndApprove(world.browser(), getPageUrl(completed), psu);
    await walkAndDecline(world.browser(), getPageUrl(rejected), psu, 'refuse');
    await tpp.call('DELETE', deleted.path, token);
    const expired = await basket('LAST');
    await world.advance('PT15M1S');
    await untilLast('RJCT', ({ basketId }) => basketId === expired.basketId);
    await untilLast('ACSC', ({ basketId }) => basketId === completed.basketId);
    const readStatuses = (one: Basket) =>
      receivedNotifications().flatMap(({ basketId, transactionStatus, scaStatus }) =>
        basketId === one.basketId ? [scaStatus ?? transactionStatus] : [],
      );
    expect([steps, completed, rejected, deleted, expired].map(readStatuses)).toEqual([
      ['psuIdentified', 'finalised'],
      ['ACSC'],
      ['RJCT'],
      ['CANC'],
      ['RJCT'],
    ]);
  });

  it('sends PATC before ACTC to the address registered with an authorisation if there are two signers', async () => {
    const { iban, signers } = await world.corporate(2, 2);
    const payment = await initiateForSeveral(tpp, token, iban);
    const { path, basketId } = await createBasketFrom([payment.id], {});
    for (const [index, signer] of signers.entries()) {
      const started = await startFor(
        tpp,
        token,
        { startPath: `${path}/authorisations` },
        signer,
        index === 0 ? pushTo('status=PROCESS') : {},
      );
      await walkAndApprove(world.browser(), started.scaRedirect, signer);
    }
    await untilLast('ACTC');
    expect(receivedNotifications().map((one) => [one.basketId, one.transactionStatus])).toEqual([
      [basketId, 'PATC'],
      [basketId, 'ACTC'],
    ]);
  });
});

describe('pushing the status of a consent (contract 11)', () => {
  it('sends valid, and then the final status', async () => {
    const psu = await world.person();
    const body = consentBody([psu.accounts[0]?.iban ?? ''], dayFrom(await sandboxNow(world), 5));
    const answer = await createConsent(tpp, psu.psuId, body, pushTo());
    const { consentId, _links } = parseJson<{ consentId: string; _links: Notified['_links'] }>(answer);
    await walkAndApprove(world.browser(), _links['scaRedirect']?.href ?? '', psu);
    await untilLast('valid');
    await tpp.call('DELETE', `/v1/consents/${consentId}`, token);
    await untilLast('terminatedByTpp');
    expect(receivedNotifications().map(({ consentStatus, scaStatus }) => [consentStatus, scaStatus])).toEqual(
      [
        ['valid', 'finalised'],
        ['terminatedByTpp', undefined],
      ],
    );
    expect(receivedNotifications()[0]).toMatchObject({
      consentId,
      _links: { self: { href: `/v1/consents/${consentId}` } },
    });
  });
});

describe('a request with an invalid notification address is refused and creates nothing (contract 11)', () => {
  it.each([
    ['TPP-Notification-URI', 'https://elsewhere.example/push'],
    ['TPP-Notification-Content-Preferred', 'status=EVERYTHING'],
  ])('%s: %s', async (name, value) => {
    const psu = await world.person();
    const body = consentBody([psu.accounts[0]?.iban ?? ''], dayFrom(await sandboxNow(world), 5));
    const answer = await createConsent(tpp, psu.psuId, body, { ...pushTo(), [name.toLowerCase()]: value });
    expect([answer.status, listPaths(answer)]).toEqual([400, [name]]);
    expect(answer.headers.get('aspsp-notification-support')).toBe('true');
    const list = parseJson<{ consents: unknown[] }>(await tpp.call('GET', '/v1/consents', token));
    expect(list.consents).toEqual([]);
    const payment = await tpp.call('POST', domesticPath, token, {
      json: domesticPayment(psu.accounts[0]?.iban ?? ''),
      headers: { ...pushTo(), [name.toLowerCase()]: value },
    });
    expect([payment.status, listPaths(payment)]).toEqual([400, [name]]);
  });
});

describe('notifications (contract 11: at least once)', () => {
  it('arrive even if the sender is killed at every first attempt: each change in order, under a single id', async () => {
    const seen = new Set<unknown>();
    receiver.behaviour = ({ headers }) => {
      const id = headers['x-request-id'];
      if (seen.has(id)) return 204;
      // A new process may send notifications before the sandbox has recorded that it is ready.
      if (world.sandbox.services.notifications.pid === 0) return 503;
      seen.add(id);
      world.kill('notifications');
      return 'hang';
    };
    const { paymentId } = await paid(pushTo('status=PROCESS'));
    await world.advance('PT1M1S');
    const triesOfThird = () =>
      receiver.posts.filter(({ headers }) => headers['x-request-id'] === [...seen][2]).length;
    while (seen.size < 3 || triesOfThird() < 2) await receiver.received(receiver.posts.length + 1);
    const all = receivedNotifications();
    expect(all.map((one) => [one.paymentId, one.transactionStatus])).toEqual(
      ['ACCP', 'ACSP', 'ACSC'].map((status) => [paymentId, status]),
    );
    expect(seen.size).toBe(3);
  });

  it('all pass verification after a key rotation, because the new key signs only after it is published', async () => {
    const file = makeLayout(world.sandbox.dataDir).keys;
    const { keys } = readJson<{ keys: Record<string, unknown>[] }>(file) ?? { keys: [] };
    const next = {
      ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
      kid: 'next',
    };
    receiver.behaviour = () => 500;
    await paid(pushTo('status=PROCESS'));
    await receiver.received(1);
    writePrivately(file, JSON.stringify({ keys: [next, ...keys] }));
    await world.sandbox.services.auth.restart();
    receiver.behaviour = () => 204;
    const begun = receiver.posts.length;
    await receiver.received(begun + 1);
    const published = await publishedKeys(world.baseUrl);
    const verified = receiver.posts.map(({ body, headers }) =>
      verifyNotification(body, String(headers['x-jws-signature']), published),
    );
    expect(verified.filter((one) => 'refused' in one)).toEqual([]);
    expect(verified.at(-1)).toMatchObject({ header: { kid: 'next' } });
  });
});
