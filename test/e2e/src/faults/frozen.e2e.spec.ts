// Lane: long, alone (a wait is measured against a two-second limit).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, parseJson, type Send, send } from '@xs2a/tpp-client/http';
import { PsuBrowser } from '@xs2a/tpp-client/psu-browser';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { ServiceName } from '@xs2a/sandbox/services/service-table';
import { randomUUID } from 'node:crypto';
import { look, submit } from '../pages/page-visitor.js';
import { freeze, signal } from './frozen-processes.js';
import {
  authorised,
  bulkPath,
  bulkPayment,
  consentBody,
  consented,
  dayFrom,
  domesticPayment,
  initiate,
  periodicPath,
  periodicPayment,
  sandboxNow,
  until,
} from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
let psu: FreshPsu;
let ais: string;
let application: string;
let without: string;
let funds: string;
let fresh: string;
let forms: Request[];
let paths: {
  payment: string;
  order: string;
  bulk: string;
  scaRedirect: string;
  consent: string;
  account: string;
  refresh: string;
};

let document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId?: string }>>>>;
};

beforeAll(async () => {
  world = await World.start();
  document = parseJson(await send('GET', `${world.baseUrl}/openapi.json`));
});
beforeEach(async () => {
  const tpp = world.tpp();
  psu = await world.person('1000.00');
  const iban = psu.accounts[0]?.iban ?? '';
  application = await tpp.applicationToken();
  without = await world.tpp('sandbox-tpp-2').applicationToken();
  const body = consentBody([iban], dayFrom(await sandboxNow(world), 30));
  const { consentId, tokens } = await consented(world, tpp, psu, body);
  ais = tokens.access_token;
  const listed = await tpp.call('GET', '/v1/accounts', ais, { headers: { 'psu-ip-address': '1.1.1.1' } });
  const [account] = parseJson<{ accounts: { resourceId: string }[] }>(listed).accounts;
  const { path, scaRedirect } = await initiate(tpp, application, domesticPayment(iban));
  const today = dayFrom(await sandboxNow(world), 0);
  const order = await initiate(tpp, application, periodicPayment(iban, today), {}, periodicPath);
  const bulk = await initiate(tpp, application, bulkPayment(iban, ['1.00', '2.00']), {}, bulkPath);
  funds = (await authorised(world, tpp, psu, 'PSP_IC')).access_token;
  fresh = tpp.authorizationRequest('PSP_IC').url;
  const another = (await initiate(tpp, application, domesticPayment(iban))).scaRedirect;
  forms = [
    await readForm('the form that signs in', scaRedirect, 'password'),
    await readForm('the form of the code', another, 'otp'),
  ];
  paths = {
    payment: path,
    order: order.path,
    bulk: bulk.path,
    scaRedirect,
    consent: `/v1/consents/${consentId}`,
    account: `/v1/accounts/${account?.resourceId ?? ''}`,
    refresh: tokens.refresh_token ?? '',
  };
});
afterAll(async () => world.stop());

type Request = readonly [name: string, run: () => Promise<Answer>];

/** Returns a form on the way to a signature, filled in but not submitted: the first form with this field. */
const readForm = async (name: string, url: string, field: 'password' | 'otp'): Promise<Request> => {
  const reached = Promise.withResolvers<void>();
  const ordered = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<Answer>();
  const sender: Send = async (method, to, sending) => {
    if (sending?.form?.has(field) !== true) return send(method, to, sending);
    reached.resolve();
    await ordered.promise;
    const answer = send(method, to, sending);
    answered.resolve(answer);
    throw new Error('this walk ends here');
  };
  walkAndApprove(new PsuBrowser({}, sender), url, psu).catch(reached.reject);
  await reached.promise;
  return [
    name,
    async () => {
      ordered.resolve();
      return answered.promise;
    },
  ];
};
const api = (method: string, path: string, token: string, json?: unknown): Request => [
  `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, 'ID')}`,
  async () =>
    send(method, `${world.baseUrl}${path}`, {
      ...(json === undefined ? {} : { json }),
      headers: { authorization: `Bearer ${token}`, 'psu-id': psu.psuId, 'idempotency-key': randomUUID() },
    }),
];
const page = (name: string, url: string): Request => [name, async () => send('GET', url)];

const bodies = (): Readonly<Record<string, unknown>> => {
  const iban = psu.accounts[0]?.iban ?? '';
  const amount = { currency: 'BGN', amount: '1.00' };
  return {
    initiatePayment: domesticPayment(iban),
    initiatePeriodicPayment: periodicPayment(iban, '2099-01-01'),
    initiateBulkPayment: bulkPayment(iban, ['1.00', '2.00']),
    createConsent: consentBody([iban], '2099-01-01'),
    createBasket: { paymentIds: [randomUUID()] },
    confirmFunds: { instructedAmount: amount },
    advanceClock: { advance: 'PT1S' },
    registerTpp: { name: 'A', redirectUris: ['https://a.example/'], roles: ['PSP_AI'] },
    changeTpp: { status: 'active' },
    addRedirectUri: { redirectUri: 'https://a.example/', clientSecret: 'a' },
    renewSecret: { clientSecret: 'a' },
    createPsu: { accounts: [{ currency: 'BGN', opening: '1.00' }] },
    deposit: amount,
    changeAccount: { status: 'enabled' },
    simulate: { psuId: psu.psuId, outcome: 'slow' },
    visit: { uri: 'http://localhost:8090/callback' },
    planFault: { operation: 'listConsents', outcome: 'none' },
  };
};

const tokenFor = (path: string, operationId: string): string => {
  // Uses a TPP without payments, because this test later reads its own payments.
  if (operationId === 'clearPayments') return without;
  if (path.startsWith('/v1/accounts')) return ais;
  return path.endsWith('/funds-confirmations') ? funds : application;
};

/** Returns a request for every published operation; the resources to be deleted or ended do not exist. */
const operations = (): Request[] => {
  const resourceAt = (template: string): string =>
    [paths.order, paths.bulk].find((path) => path.split('/')[2] === template.split('/')[2]) ?? paths.payment;
  const ends = (method: string, template: string): boolean =>
    method === 'delete' || /\/(?:expire|settle)$/.test(template);
  const inPath = (method: string, template: string): Readonly<Record<string, string>> => ({
    'payment-product': 'domestic-credit-transfer-BGN',
    paymentId: ends(method, template) ? randomUUID() : (resourceAt(template).split('/').at(-1) ?? ''),
    consentId: ends(method, template) ? randomUUID() : (paths.consent.split('/').at(-1) ?? ''),
    'account-id': paths.account.split('/').at(-1) ?? '',
    iban: psu.accounts[0]?.iban ?? '',
    clientId: 'sandbox-tpp-2',
  });
  return Object.entries(document.paths)
    .filter(([path]) => /^\/(?:v1|sandbox)\//.test(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId }]) => {
        if (operationId === undefined) return [];
        const at = path.replaceAll(
          /\{([^}]+)\}/g,
          (_, name: string) => inPath(method, path)[name] ?? randomUUID(),
        );
        return [api(method.toUpperCase(), at, tokenFor(path, operationId), bodies()[operationId])];
      }),
    );
};

/** Returns one request for each kind of response that needs more than the gateway. */
const requests = (): Request[] => [
  ...operations(),
  api('GET', `${paths.account}/transactions?pageSize=0`, ais),
  ['a token', async () => world.tpp().tokenRequest({ grant_type: 'client_credentials', scope: 'PSP_AI' })],
  [
    'a refresh',
    async () => world.tpp().tokenRequest({ grant_type: 'refresh_token', refresh_token: paths.refresh }),
  ],
  page('the authorization page', fresh),
  page('the page of a payment', paths.scaRedirect),
  page("the PSU's list", `${world.baseUrl}/sca/apps`),
  ...forms,
];

interface Timed {
  readonly name: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly seconds: number;
}
const ask = async ([name, run]: Request): Promise<Timed> => {
  const began = performance.now();
  const { status, headers } = await run();
  const seconds = (performance.now() - began) / 1000;
  return { name, status, retryAfter: headers.get('retry-after'), seconds };
};

/**
 * A 503 must have Retry-After. A response that does not depend on the frozen part is also correct: an invalid
 * query is always invalid, and a running service can report that a resource does not exist. No service may refuse
 * a valid token.
 */
const isRight = ({ status, retryAfter }: Timed, behind: Behind): boolean => {
  if (status === 503) return Number(retryAfter) >= 1;
  const others = behind === 'postgres' || behind === 'nats' ? [] : [403, 404, 409];
  return status <= 400 || others.includes(status);
};

type Behind = 'postgres' | 'nats' | Exclude<ServiceName, 'gateway'>;
const readPid = (behind: Behind): number => {
  const { postgres, nats, services } = world.sandbox;
  return { ...services, postgres, nats }[behind].pid;
};

describe('a dependency that hangs (quality, "Reliability")', () => {
  /** The parts behind the gateway, each with the minimum number of routes that depend on it. */
  it.each([
    ['postgres', 20],
    ['nats', 20],
    ['payments', 8],
    ['consents', 8],
    ['accounts', 8],
    ['auth', 7],
    ['funds-confirmation', 1],
    ['settlement-worker', 0],
    ['console', 1],
    ['portal', 0],
  ] as const satisfies [Behind, number][])(
    '%s frozen: every route responds within 2 s, with 503 and Retry-After, and works again within 10 s',
    async (behind, needing) => {
      const pids = freeze(readPid(behind));
      let answers: Timed[];
      try {
        answers = await Promise.all(requests().map(ask));
      } finally {
        signal(pids, 'SIGCONT');
      }
      expect(answers.filter((answer) => !isRight(answer, behind))).toEqual([]);
      // Two seconds, plus the time that this machine needs to send and read all requests at once.
      expect(answers.filter(({ seconds }) => seconds > 2.5)).toEqual([]);
      expect(answers.filter(({ status }) => status === 503).length).toBeGreaterThanOrEqual(needing);
      const again = api('GET', `${paths.payment}/status`, application);
      await until(
        async () =>
          (await Promise.all([ask(again), ask(page('page', paths.scaRedirect))])).map(({ status }) => status),
        (statuses) => statuses.every((status) => status === 200),
        10,
      );
    },
    60_000,
  );

  it('accounts frozen: the review of a payment shows the IBAN in place of the name and balance', async () => {
    const first = await look(paths.scaRedirect);
    const { cookie } = await submit(paths.scaRedirect, first.cookie, {
      csrf: first.csrf,
      step: 'sign-in',
      psuId: psu.psuId,
      password: psu.password,
      decision: 'approve',
    });
    const iban = psu.accounts[0]?.iban ?? '';
    const before = await look(paths.scaRedirect, cookie);
    expect(before.text).toContain(`•• ${iban.slice(-4)}`);
    expect(before.text).toContain('available');
    const pids = freeze(readPid('accounts'));
    try {
      const frozen = await look(paths.scaRedirect, cookie);
      expect([frozen.status, frozen.step]).toEqual([200, 'review']);
      expect(frozen.text).toContain(`value="${iban}"`);
      expect(frozen.text).not.toContain('available');
    } finally {
      signal(pids, 'SIGCONT');
    }
  });
});
