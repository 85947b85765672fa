import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import { harmlessTexts, hostileAmounts, hostileJson, hostileTexts } from './hostile-bodies.js';
import { hostileHeaders, hostileRedirects } from './hostile-headers.js';
import { type RawAnswer, rawRequest } from '@xs2a/test-support/raw-http';
import {
  consentBody,
  consented,
  dayFrom,
  domesticPath,
  domesticPayment,
  initiate,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { domesticProduct, homeCurrency, largestAmount } from '@xs2a/test-support/home';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let token: string;
let psu: FreshPsu;
let iban: string;
const counts: string[] = [];

beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
  token = await tpp.applicationToken();
  psu = await world.person('1000.00');
  iban = psu.accounts[0]?.iban ?? '';
});
afterAll(async () => {
  await world.stop();
  process.stderr.write(`security, through the public door: ${counts.join(' · ')}\n`);
});

const post = async (lines: readonly string[], body: Buffer): Promise<RawAnswer> =>
  rawRequest(
    world.baseUrl,
    `POST ${domesticPath}`,
    [`Authorization: Bearer ${token}`, 'Content-Type: application/json', ...lines],
    body,
  );
const valid = (): Buffer => Buffer.from(JSON.stringify(domesticPayment(iban, '1.00')));
/** Builds a valid body with one value replaced by the given JSON text. */
const bodyWith = (changes: Record<string, unknown>, mark: string, json: string): Buffer =>
  Buffer.from(JSON.stringify(domesticPayment(iban, '1.00', changes)).replace(JSON.stringify(mark), json));

interface AnswerSummary {
  readonly status: number;
  readonly messages: readonly (readonly [code: string, path: string | undefined])[];
}
const summarise = ({ status, text }: { readonly status: number; readonly text: string }): AnswerSummary => {
  const { tppMessages } = JSON.parse(text) as { tppMessages?: { code: string; path?: string }[] };
  return { status, messages: (tppMessages ?? []).map(({ code, path }) => [code, path]) };
};

/** Sends a table of requests to the gateway, a few at a time. Returns the requests that got an unexpected response. */
const unexpected = async <Case>(
  group: string,
  cases: readonly Case[],
  check: (one: Case) => Promise<string | undefined>,
): Promise<string[]> => {
  const wrong: string[] = [];
  const queue = [...cases];
  const worker = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const problem = await check(one);
      if (problem !== undefined) wrong.push(problem);
    }
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  counts.push(`${group} ${cases.length}`);
  return wrong;
};
const formatError = (name: string, answer: RawAnswer, path?: string): string | undefined => {
  const { status, messages } = summarise(answer);
  const right =
    status === 400 &&
    messages.length > 0 &&
    messages.every(([code, at]) => code === 'FORMAT_ERROR' && (path === undefined || at === path));
  return right ? undefined : `${name}: ${status} ${answer.text.slice(0, 200)}`;
};

describe('validation of client input (contract 2, 3, 8)', () => {
  it('rejects hostile JSON with 400 FORMAT_ERROR', async () => {
    // A well-formed body is refused by the payment rules. A malformed body is refused earlier, before the
    // debtor account is checked.
    const readable = new Set(['constructor.prototype', 'a raw line break in a text', 'a NUL']);
    const check = async ([name, body]: readonly [string, Buffer]) => {
      const answer = await post([], body);
      const isRead = summarise(answer).messages.some(([, path]) => path === 'debtorAccount');
      if (isRead !== readable.has(name)) return `${name}: ${isRead ? 'was' : 'was not'} read`;
      return formatError(name, answer);
    };
    expect(await unexpected('JSON', hostileJson, check)).toEqual([]);
  });

  it('accepts amounts only in the form defined by the contract', async () => {
    const amount = (json: string): Buffer =>
      bodyWith({ instructedAmount: { currency: homeCurrency, amount: 'MARK' } }, 'MARK', json);
    const check = async (json: string) =>
      formatError(json, await post([], amount(json)), 'instructedAmount.amount');
    expect(await unexpected('amounts', hostileAmounts, check)).toEqual([]);
    for (const right of ['"0.01"', '"1"', '"1.5"', '"12.50"', JSON.stringify(largestAmount)])
      expect((await post([], amount(right))).status).toBe(201);
  });

  it('rejects texts that hide, reorder or overflow the text that the PSU reads', async () => {
    const check = async ([name, json]: readonly [string, string]) =>
      formatError(name, await post([], bodyWith({ creditorName: 'MARK' }, 'MARK', json)), 'creditorName');
    expect(await unexpected('texts', hostileTexts, check)).toEqual([]);
    for (const creditorName of harmlessTexts) {
      const { path } = await initiate(tpp, token, domesticPayment(iban, '1.00', { creditorName }));
      expect(parseJson(await tpp.call('GET', path, token))['creditorName']).toBe(creditorName);
    }
  });

  it('requires every header to be well-formed and to occur at most once', async () => {
    const check = async ([name, lines]: readonly [string, readonly string[]]) =>
      formatError(name, await post(lines, valid()));
    expect(await unexpected('headers', hostileHeaders, check)).toEqual([]);
    const twice = [`Authorization: Bearer ${token}`, `Authorization: Bearer ${token}`];
    const two = await rawRequest(world.baseUrl, `GET ${domesticPath}/${randomUUID()}`, twice);
    expect(summarise(two)).toEqual({ status: 400, messages: [['FORMAT_ERROR', 'Authorization']] });
  });

  it('accepts redirect URIs only with registered origins, and requires an exact registered URI for an authorization code', async () => {
    const check = async (uri: string) => {
      const header = await post([`TPP-Redirect-URI: ${uri}`], valid());
      const nok = await post([`TPP-Nok-Redirect-URI: ${uri}`], valid());
      const query = new URL(tpp.authorizationRequest('PSP_IC').url);
      query.searchParams.set('redirect_uri', uri);
      const browser = world.browser();
      const page = await browser.open(query.href);
      if (browser.leftTo !== undefined) return `${uri}: the browser was sent to ${browser.leftTo}`;
      if (page.status !== 400) return `${uri}: authorize answered ${page.status}`;
      return formatError(uri, header, 'TPP-Redirect-URI') ?? formatError(uri, nok, 'TPP-Nok-Redirect-URI');
    };
    expect(await unexpected('redirect URIs', hostileRedirects, check)).toEqual([]);
  });
});

describe('validation of paths and methods (contract 3)', () => {
  it('returns 405 SERVICE_INVALID with an Allow header for an unsupported method, before any token check', async () => {
    const document = parseJson<{ paths: Record<string, Record<string, unknown>> }>(
      await tpp.call('GET', '/openapi.json', undefined),
    );
    const all = ['get', 'post', 'put', 'patch', 'delete', 'trace'];
    const cases = Object.entries(document.paths)
      .filter(([path]) => !/^\/(?:oauth2|sca|\.well-known)/.test(path))
      .flatMap(([path, offered]) =>
        all.filter((method) => !(method in offered)).map((method) => [method, path, offered] as const),
      );
    const check = async ([method, path, offered]: (typeof cases)[number]) => {
      const real = path.replace('{payment-product}', domesticProduct).replace(/\{[^}]+\}/g, randomUUID());
      const answer = await rawRequest(world.baseUrl, `${method.toUpperCase()} ${real}`);
      const { status, messages } = summarise(answer);
      const allowed = /^allow: (.*)$/im.exec(answer.head)?.[1]?.split(', ') ?? [];
      const right =
        status === 405 &&
        messages[0]?.[0] === 'SERVICE_INVALID' &&
        Object.keys(offered).every((one) => allowed.includes(one.toUpperCase()));
      return right
        ? undefined
        : `${method} ${real}: ${status} ${allowed.join()} ${answer.text.slice(0, 100)}`;
    };
    expect(await unexpected('methods', cases, check)).toEqual([]);
  });

  it('returns 404 in the API’s error form for impossible paths, never a 5xx', async () => {
    const tails = [
      '/..',
      '/../x',
      '/%2e%2e/x',
      '/%zz',
      '/%00',
      '//',
      '/%2f',
      '/;x',
      '/a%5cb',
      `/${'a'.repeat(3000)}`,
    ];
    const cases = [
      '/v1',
      '/v1/accounts',
      '/oauth2',
      '/oauth2/token',
      '/sca',
      '/sca/payment',
      '/docs',
      '/.well-known',
    ].flatMap((prefix) => tails.map((tail) => `${prefix}${tail}`));
    const check = async (path: string) => {
      const { status, text, head } = await rawRequest(world.baseUrl, `GET ${path}`);
      const form = path.startsWith('/sca')
        ? /content-type: text\/html/i.test(head)
        : text.startsWith(/^\/(?:oauth2|\.well-known)/.test(path) ? '{"error":' : '{"tppMessages":');
      // Any text under /v1/accounts/ may be an account id, so a token is required first.
      const right = status === 404 || (status === 401 && path.startsWith('/v1/accounts/'));
      return right && form ? undefined : `${path}: ${status} ${text.slice(0, 120)}`;
    };
    expect(await unexpected('paths', cases, check)).toEqual([]);
  });

  it.each([
    ['GET /oauth2/token', 'POST'],
    ['PUT /oauth2/token', 'POST'],
    ['DELETE /oauth2/authorize', 'GET'],
    ['POST /oauth2/jwks', 'GET'],
  ])('%s: returns 405 in the RFC 6749 error form, with an Allow header', async (request, allow) => {
    const { status, head, text } = await rawRequest(world.baseUrl, request);
    expect([status, JSON.parse(text)['error']]).toEqual([405, 'invalid_request']);
    expect(head.toLowerCase()).toContain(`allow: ${allow.toLowerCase()}`);
  });

  it('returns 404 for an unknown product of every payment service before the token check, and requires a token for everything else', async () => {
    for (const service of ['periodic-payments', 'bulk-payments'])
      for (const [product, status, code] of [
        ['teleport', 404, 'PRODUCT_UNKNOWN'],
        [domesticProduct, 401, 'TOKEN_UNKNOWN'],
      ] as const)
        expect(summarise(await rawRequest(world.baseUrl, `POST /v1/${service}/${product}`))).toEqual({
          status,
          messages: [[code, undefined]],
        });
  });
});

describe('the sandbox (contract 2, 13)', () => {
  it('creates one deposit, registration or person for 20 concurrent requests with the same key', async () => {
    const rich = await world.person('1.00');
    const account = rich.accounts[0]?.iban ?? '';
    const requests: (readonly [path: string, json: unknown])[] = [
      [`/sandbox/accounts/${account}/deposit`, { amount: '5.00', currency: homeCurrency }],
      ['/sandbox/tpps', { name: 'Once', redirectUris: ['https://once.example/cb'], roles: ['PSP_PI'] }],
      ['/sandbox/psus', { accounts: [{ currency: homeCurrency, opening: '1.00' }] }],
    ];
    for (const [path, json] of requests) {
      const sending = { json, headers: { 'idempotency-key': `once-${path}` } };
      const answers = await Promise.all(
        Array.from({ length: 20 }, async () => tpp.call('POST', path, token, sending)),
      );
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(answers[0]?.status).toBe(201);
      const other = await tpp.call('POST', path, token, { ...sending, json: { amount: '6.00' } });
      expect(summarise(other)).toEqual({ status: 409, messages: [['STATUS_INVALID', undefined]] });
    }
    const { tokens } = await consented(
      world,
      tpp,
      rich,
      consentBody([account], dayFrom(await sandboxNow(world), 30)),
    );
    const accounts = await tpp.call('GET', '/v1/accounts?withBalance=true', tokens.access_token);
    expect(accounts.text).toContain('"amount":"6.00"');
    counts.push('repeats under /sandbox 60');
  });
});
