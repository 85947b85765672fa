// Lane: first (it takes a minute or more).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { domesticPath, domesticPayment, initiate, until } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../pages/screens.js';
import { StaffBrowser } from './staff-browser.js';
import { openAs, shows } from './staff-page.js';

/** What the client writes; it must not appear on a page. */
const canary = 'Canary';

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly token?: string;
  readonly json?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

let world: World;
let url: string;
let staff: StaffBrowser;
let browser: Browser;
let token: string;
let body: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  world = await World.around({ console: {} });
  url = world.sandbox.consoleUrl ?? '';
  staff = new StaffBrowser(url);
  browser = await launchBrowser();
  await staff.signIn('viewer');
  const psu = await world.person('1000.00');
  token = await world.tpp().applicationToken();
  body = domesticPayment(psu.accounts[0]?.iban ?? '', '12.50', {
    creditorName: canary,
    remittanceInformationUnstructured: canary,
    endToEndIdentification: canary,
  });
}, 90_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

/** Sends a call that is refused, and returns its request id. */
const refuse = async ({ method, path, status, json, headers, ...call }: Sent): Promise<string> => {
  const requestId = randomUUID();
  const answer = await world.tpp().call(method, path, 'token' in call ? call.token : token, {
    ...(json === undefined ? {} : { json }),
    headers: { 'x-request-id': requestId, ...headers },
  });
  expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
  return requestId;
};

/** The page of a call, once the gateway has reported it; a TPP's list of its calls makes the gateway report them. */
const pageOf = async (requestId: string): Promise<string> => {
  const { text } = await until(
    async () => {
      await world.tpp().call('GET', '/sandbox/requests', token);
      const answer = await staff.send(`/calls/${requestId}`);
      return { status: answer.status, text: await answer.text() };
    },
    ({ status }) => status === 200,
  );
  return text.replaceAll(/\s+/g, ' ');
};

/** The headings of the section Why, without the words after them. */
const headings = (text: string): string[] =>
  [...text.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, inner = '']) =>
    inner
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );

const without = (name: string): Readonly<Record<string, unknown>> => ({ ...body, [name]: undefined });
const consents = '/v1/consents';

const cases: readonly (readonly [
  what: string,
  send: () => Promise<Sent>,
  headings: readonly string[],
  words: readonly string[],
])[] = [
  [
    'a field is missing',
    async () => ({ method: 'POST', path: domesticPath, status: 400, json: without('creditorName') }),
    ['Contract 3: Errors by situation', 'Advice', 'Field creditorName in the body'],
    [
      'Name of the creditor',
      '1 to 70 characters',
      '<mark> &quot;creditorName&quot;: &quot;',
      'This field is mandatory. Add it.',
    ],
  ],
  [
    'a field is malformed',
    async () => ({
      method: 'POST',
      path: domesticPath,
      status: 400,
      json: { ...body, instructedAmount: { currency: 'BGN', amount: `${canary}1,5` } },
    }),
    [
      'Contract 3: Errors by situation',
      'Contract 8: Money',
      'Advice',
      'Field instructedAmount.amount in the body',
    ],
    [
      'above zero',
      '<mark> &quot;amount&quot;: &quot;12.50&quot;</mark>',
      'docs/contract/08-payments.md#money',
    ],
  ],
  [
    'a field is unknown, whose name is the client’s text',
    async () => ({ method: 'POST', path: domesticPath, status: 400, json: { ...body, [canary]: canary } }),
    ['Contract 3: Errors by situation', 'Advice', 'The body'],
    ['instructedAmount, ', 'requestedExecutionDate (optional)'],
  ],
  [
    'a header is malformed',
    async () => ({
      method: 'POST',
      path: domesticPath,
      status: 400,
      json: body,
      headers: { 'psu-ip-address': canary },
    }),
    [
      'Contract 3: Errors by situation',
      'Contract 2: Sent by the TPP',
      'Advice',
      'Field PSU-IP-Address a header',
    ],
    ['<mark>PSU-IP-Address: 203.0.113.7</mark>'],
  ],
  [
    'the token is missing',
    async () => ({ method: 'POST', path: domesticPath, status: 401, json: body, token: undefined }),
    ['Contract 3: Errors by situation', 'Advice', 'What helps'],
    ['POST /oauth2/token: grant_type=client_credentials, scope=PSP_PI'],
  ],
  [
    'the consent is unknown',
    async () => ({ method: 'GET', path: `${consents}/${randomUUID()}`, status: 403 }),
    ['Contract 3: Errors by situation', 'Advice', 'What helps'],
    ['the consent id in the path is unknown', 'GET /v1/consents lists'],
  ],
  [
    'the status forbids the call',
    async () => {
      const { paymentId } = await initiate(world.tpp(), token, body);
      return { method: 'POST', path: `/sandbox/payments/${paymentId}/settle`, status: 409 };
    },
    ['Contract 13: Settle and expire', 'Advice', 'What helps'],
    ['is possible from the last signature'],
  ],
  [
    'an idempotency key is reused',
    async () => {
      const headers = { 'idempotency-key': `${canary}-${randomUUID()}` };
      await initiate(world.tpp(), token, body, headers);
      const json = { ...body, endToEndIdentification: `${canary}-2` };
      return { method: 'POST', path: domesticPath, status: 409, json, headers };
    },
    ['Contract 2: A repeated request is safe', 'Advice', 'What helps'],
    ['the same key and another body', 'Repeat the request with a new Idempotency-Key'],
  ],
];

describe('why a call was refused, in the console', () => {
  it.each(cases)(
    'is shown when %s, without anything that the client sent',
    async (_what, send, expected, words) => {
      const text = await pageOf(await refuse(await send()));
      expect(headings(text).slice(0, expected.length)).toEqual(expected);
      for (const word of words) expect(text).toContain(word);
      expect(text).not.toContain(canary);
    },
  );

  it('is a part that did not answer, with its runbook, if a call failed', async () => {
    const { pid } = world.sandbox.services.accounts;
    process.kill(pid, 'SIGSTOP');
    let requestId: string;
    try {
      requestId = await refuse({ method: 'POST', path: domesticPath, status: 503, json: body });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    const text = await pageOf(requestId);
    expect(text).toContain('accounts did not answer in time.');
    expect(text).toContain('runbook: docs/runbooks/service-does-not-answer.md');
    expect(headings(text)).toEqual(['Contract 3: Errors by situation', 'Advice', 'What helps']);
  }, 60_000);

  it('is not asked of a call that was served', async () => {
    const requestId = randomUUID();
    await initiate(world.tpp(), token, body, { 'x-request-id': requestId });
    expect(await pageOf(requestId)).not.toContain('<h2>Why</h2>');
  });

  it('can be read on every screen', async () => {
    const missing = await refuse({
      method: 'POST',
      path: domesticPath,
      status: 400,
      json: { ...body, serviceLevel: 'X' },
    });
    const expired = await refuse({ method: 'POST', path: domesticPath, status: 401, json: body, token: 'x' });
    for (const [requestId, name] of [
      [missing, 'console-why'],
      [expired, 'console-why-token'],
    ] as const) {
      await pageOf(requestId);
      const { page, context, look } = await openAs({ browser, url }, 'viewer', `/calls/${requestId}`);
      await shows(page, 'Why');
      await look(name);
      await context.close();
    }
  }, 60_000);
});
