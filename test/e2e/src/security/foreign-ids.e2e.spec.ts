import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import { type RawAnswer, rawRequest } from '@xs2a/test-support/raw-http';
import {
  consentBody,
  consented,
  dayFrom,
  domesticPath,
  domesticPayment,
  initiate,
  sandboxNow,
  until,
} from '@xs2a/test-support/requests';
import { budgetProduct, domesticProduct, homeCurrency } from '@xs2a/test-support/home';
import { World } from '@xs2a/test-support/world';

/** Path parameters that belong to a TPP or a consent. All other path parameters belong to the sandbox tools. */
type Ids = Readonly<
  Record<
    'paymentId' | 'consentId' | 'basketId' | 'account-id' | 'transactionId' | 'requestId' | 'notificationId',
    string
  >
> & {
  readonly authorisations: Readonly<Record<'paymentId' | 'consentId' | 'basketId', string>>;
};
interface Party {
  readonly application: string;
  readonly user: string;
  readonly ids: Ids;
}

let world: World;
let ours: Party;
let theirs: Party;
const sent: string[] = [];
beforeAll(async () => {
  world = await World.ofLane();
  ours = await makeParty(world.tpp('sandbox-tpp'));
  theirs = await makeParty(world.tpp('sandbox-tpp-2'));
});
afterAll(async () => {
  await world.stop();
  process.stderr.write(`foreign and unknown ids: ${sent.join(' · ')}\n`);
});

/** Creates a TPP with a payment, a basket, a consent, and an account that has an entry in its history. */
const makeParty = async (tpp: TppClient): Promise<Party> => {
  const application = await tpp.applicationToken();
  const psu = await world.person('100.00');
  const iban = psu.accounts[0]?.iban ?? '';
  const paid = await tpp.call('POST', `/sandbox/accounts/${iban}/deposit`, application, {
    json: { amount: '1.00', currency: homeCurrency },
  });
  const { transactionId } = parseJson<{ transactionId: string }>(paid);
  const { path, paymentId } = await initiate(tpp, application, domesticPayment(iban));
  const body = consentBody([iban], dayFrom(await sandboxNow(world), 30));
  const { consentId, tokens } = await consented(world, tpp, psu, body);
  const listed = await tpp.call('GET', '/v1/accounts', tokens.access_token, {
    headers: { 'psu-ip-address': '192.0.2.1' },
  });
  const { accounts } = parseJson<{ accounts: { resourceId: string }[] }>(listed);
  const startAuthorisation = async (resource: string): Promise<string> =>
    parseJson<{ authorisationIds: string[] }>(
      await tpp.call('GET', `${resource}/authorisations`, application),
    ).authorisationIds[0] ?? '';
  const grouped = await initiate(tpp, application, domesticPayment(iban));
  const basket = await tpp.call('POST', '/v1/signing-baskets', application, {
    json: { paymentIds: [grouped.paymentId] },
  });
  const { basketId } = parseJson<{ basketId: string }>(basket);
  const authorisations = {
    basketId: await startAuthorisation(`/v1/signing-baskets/${basketId}`),
    paymentId: await startAuthorisation(path),
    consentId: await startAuthorisation(`/v1/consents/${consentId}`),
  };
  const requestId = randomUUID();
  await tpp.call('GET', '/v1/consents', application, { headers: { 'x-request-id': requestId } });
  await until(
    async () => tpp.call('GET', `/sandbox/requests/${requestId}`, application),
    ({ status }) => status === 200,
  );
  const ids = {
    paymentId,
    consentId,
    basketId,
    transactionId,
    requestId,
    notificationId: await notifyOf(tpp, application, iban),
    'account-id': accounts[0]?.resourceId ?? '',
    authorisations,
  };
  return { application, user: tokens.access_token, ids };
};

/** Lets a payment of a TPP expire. Returns the id of the notification, which waits: nothing listens at its address. */
const notifyOf = async (tpp: TppClient, application: string, iban: string): Promise<string> => {
  const { paymentId } = await initiate(tpp, application, domesticPayment(iban), {
    'tpp-notification-uri': new URL('/push', tpp.credentials.redirectUri).href,
  });
  await tpp.call('POST', `/sandbox/payments/${paymentId}/expire`, application);
  const [notification] = await until(
    async () =>
      parseJson<{ notifications: { notificationId: string; resourceId: string }[] }>(
        await tpp.call('GET', '/sandbox/notifications', application),
      ).notifications.filter(({ resourceId }) => resourceId === paymentId),
    ({ length }) => length > 0,
  );
  return notification?.notificationId ?? '';
};

const products = [domesticProduct, budgetProduct, 'SEPA-Credit-Transfer', 'cross-border-credit-transfer'];

/** Returns a path template from the OpenAPI document with each product, including products that the service refuses. */
const withProducts = (template: string): string[] =>
  template.includes('{payment-product}')
    ? products.map((product) => template.replace('{payment-product}', product))
    : [template];

const findId = (name: string, template: string, { ids }: Party): string => {
  const ofResource = Object.entries(ids.authorisations).find(([resource]) =>
    template.includes(`{${resource}}`),
  );
  const id: unknown = name === 'authorisationId' ? ofResource?.[1] : Reflect.get(ids, name);
  if (typeof id !== 'string') throw new Error(`what is {${name}} of ${template}?`);
  return id;
};

interface Case {
  readonly method: string;
  readonly template: string;
  /** The path parameter that is replaced by a foreign id; the ids before it belong to the caller. */
  readonly foreign: string;
}
const listCases = (method: string, template: string): Case[] => {
  const names = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  // Under another product or service, the caller's own payment gets a different response, because its id is
  // not foreign.
  const isOwn = !template.includes('{paymentId}') || template.startsWith(`${domesticPath}/`);
  return (isOwn ? names : names.slice(0, 1)).map((foreign) => ({ method, template, foreign }));
};

/** Returns the parts of a response that must not differ. */
const bare = ({ status, head, text }: RawAnswer): string =>
  [
    status,
    ...head
      .split('\r\n')
      .slice(1)
      .filter((line) => !/^(?:x-request-id|x-sandbox-clock|date):/i.test(line))
      .sort(),
    text,
  ].join('\n');

/**
 * Returns the tokens that are valid for a route. A consent can be used with its application's token and with its
 * own user token (contract 4).
 */
const bearersFor = ({ method, template }: Case): string[] => {
  if (template.startsWith('/v1/accounts')) return [ours.user];
  const isOwnConsent = template.startsWith('/v1/consents/') && method !== 'POST';
  return isOwnConsent ? [ours.application, ours.user] : [ours.application];
};

const ask = async ({ method, template, foreign }: Case, id: string, bearer: string): Promise<RawAnswer> => {
  const path = template.replace(/\{([^}]+)\}/g, (_match, name: string) =>
    name === foreign ? id : findId(name, template, ours),
  );
  return rawRequest(world.baseUrl, `${method} ${path}`, [
    `Authorization: Bearer ${bearer}`,
    'PSU-IP-Address: 192.0.2.1',
    'Content-Type: application/json',
  ]);
};

describe('resources of other TPPs and consents (contract 3)', () => {
  it('return the same response, byte for byte, as resources that do not exist, on every route in the published document', async () => {
    const { text } = await rawRequest(world.baseUrl, 'GET /openapi.json');
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, unknown>> };
    const cases = Object.entries(paths)
      .map(([path, offered]) => [path.replace(/^(?!\/(?:v1|sandbox)\/)/, '/v1'), offered] as const)
      .filter(
        ([path]) =>
          /\{(?!payment-)/.test(path) && !/^\/(?:v1\/(?:sca|oauth2)|sandbox\/(?:tpps|accounts))\//.test(path),
      )
      .flatMap(([path, offered]) =>
        Object.keys(offered)
          .filter((method) => ['get', 'post', 'delete', 'put', 'patch'].includes(method))
          .flatMap((method) =>
            withProducts(path).flatMap((template) => listCases(method.toUpperCase(), template)),
          ),
      );
    const wrong: string[] = [];
    let requests = 0;
    for (const one of cases) {
      const foreign = findId(one.foreign, one.template, theirs);
      const other = one.foreign === 'consentId' ? ours.ids.paymentId : ours.ids.consentId;
      const ids = [
        randomUUID(),
        'x',
        '%2e',
        '%27%20OR%201=1--',
        `${foreign}x`,
        foreign.toUpperCase(),
        other,
        '0',
      ];
      const answers = await Promise.all(
        bearersFor(one).flatMap((bearer) => [foreign, ...ids].map((id) => ask(one, id, bearer))),
      );
      requests += answers.length;
      const code = /"code":"(\w+)"/.exec(answers[0]?.text ?? '')?.[1];
      const isSandbox = one.template.startsWith('/sandbox/');
      const expected =
        one.foreign === 'consentId' && !isSandbox ? [403, 'CONSENT_UNKNOWN'] : [404, 'RESOURCE_UNKNOWN'];
      const isSame = new Set(answers.map(bare)).size === 1;
      if (!isSame || answers[0]?.status !== expected[0] || code !== expected[1])
        wrong.push(
          `${one.method} ${one.template} {${one.foreign}}: ${[...new Set(answers.map(bare))].join('\n---\n')}`,
        );
    }
    sent.push(`${cases.length} routes`, `${requests} requests`);
    expect(wrong).toEqual([]);
    for (const area of ['/payments/', '/periodic-payments/', '/bulk-payments/', '/consents/', '/accounts/'])
      expect(cases.filter(({ template }) => template.includes(area)).length).toBeGreaterThan(3);
    expect(cases.filter(({ template }) => template.startsWith('/sandbox/')).length).toBeGreaterThan(2);
  });

  it('are not changed by requests of another TPP', async () => {
    const second = world.tpp('sandbox-tpp-2');
    const { application, ids, user } = theirs;
    const read = async (path: string, token = application) =>
      parseJson(await second.call('GET', path, token));
    expect(await read(`${domesticPath}/${ids.paymentId}/status`)).toEqual({ transactionStatus: 'RCVD' });
    expect(await read(`/v1/consents/${ids.consentId}/status`)).toEqual({ consentStatus: 'valid' });
    expect(await read(`/v1/accounts/${ids['account-id']}`, user)).toMatchObject({
      account: { resourceId: ids['account-id'] },
    });
  });
});
