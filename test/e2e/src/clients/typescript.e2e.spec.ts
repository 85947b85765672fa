import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Xs2aOptions } from '@xs2a/client/connection';
import { Xs2aError } from '@xs2a/client/error';
import { PaymentEnded } from '@xs2a/client/payments';
import type { Session } from '@xs2a/client/session';
import type { Tokens } from '@xs2a/client/tokens';
import { createXs2a, type Xs2a } from '@xs2a/client/xs2a';
import { HttpReceiver } from '@xs2a/local-servers/http-receiver';
import { root } from '@xs2a/sandbox/layout';
import { listExamples } from '@xs2a/test-support/page-examples';
import { dayFrom, sandboxNow } from '@xs2a/test-support/requests';
import { type FreshPsu, registerTpp } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

let world: World;
let psu: FreshPsu;
let iban = '';
let receiver: HttpReceiver;

beforeAll(async () => {
  world = await World.ofLane();
  receiver = await HttpReceiver.start();
  psu = await world.person('1000.00');
  iban = psu.accounts[0]?.iban ?? '';
});
afterAll(async () => {
  await receiver.stop();
  await world.stop();
});

type Fetch = NonNullable<Xs2aOptions['fetch']>;
/** What happens to a request: `undefined` sends it. */
type Meddling = (request: Request) => Promise<Response | undefined> | undefined;

/** A client of the sandbox whose requests are recorded, and that does not wait between attempts. */
const connect = (
  meddle: Meddling = () => undefined,
  more: Partial<Xs2aOptions> = {},
): { xs2a: Xs2a; requests: Request[]; pauses: number[] } => {
  const { clientId, clientSecret = '', redirectUri } = world.tpp().credentials;
  const [requests, pauses]: [Request[], number[]] = [[], []];
  const observed: Fetch = async (input, init) => {
    const request = new Request(input, init);
    requests.push(request.clone());
    return (await meddle(request.clone())) ?? fetch(request);
  };
  const xs2a = createXs2a({
    baseUrl: world.baseUrl,
    clientId,
    auth: { secret: clientSecret },
    redirectUri,
    sandbox: true,
    fetch: observed,
    wait: async (ms) => void pauses.push(ms),
    ...more,
  });
  return { xs2a, requests, pauses };
};

const product = 'domestic-credit-transfer-BGN';
const transfer = (amount = '12.50') => ({
  endToEndIdentification: 'E2E-1',
  debtorAccount: { iban },
  instructedAmount: { currency: 'BGN', amount },
  creditorAccount: { iban: 'BG26RZBB91551023456789' },
  creditorName: 'Petar Ivanov',
  remittanceInformationUnstructured: 'Invoice 1',
  serviceLevel: 'NURG' as const,
});
const consentBody = async () => ({
  access: { accounts: [{ iban }], balances: [{ iban }], transactions: [{ iban }] },
  recurringIndicator: true,
  validUntil: dayFrom(await sandboxNow(world), 30),
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
});
const creations = (requests: readonly Request[]): Request[] =>
  requests.filter(({ method, url }) => method === 'POST' && url.includes('/v1/payments/'));
const approve = async (url: string): Promise<string> => {
  const browser = world.browser();
  await walkAndApprove(browser, url, psu);
  return browser.leftTo ?? '';
};
const consented = async (xs2a: Xs2a, saved: Tokens[] = []): Promise<Session> => {
  const { url, pending } = await xs2a.consents.start(await consentBody(), { psuId: psu.psuId });
  const save = (tokens: Tokens): void => void saved.push(tokens);
  return xs2a.consents.finish(await approve(url), pending, { psuIpAddress: '192.0.2.1', save });
};
const refusal = async (call: Promise<unknown>): Promise<Xs2aError> => {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Xs2aError) return error;
  throw new Error(`not refused: ${String(error)}`);
};

describe('the program in clients/typescript/README.md', () => {
  it('makes a payment, and reads the accounts of a PSU who agreed', async () => {
    const [example = '', ...more] = listExamples('clients/typescript/README.md', 'ts');
    expect(more).toEqual([]);
    const { clientId, clientSecret = '', redirectUri } = world.tpp().credentials;
    const child = spawn(process.execPath, ['--input-type=module', '-e', example], {
      cwd: join(root, 'test/e2e'),
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        BASE_URL: world.baseUrl,
        CLIENT_ID: clientId,
        CLIENT_SECRET: clientSecret,
        REDIRECT_URI: redirectUri,
        PSU_ID: psu.psuId,
        IBAN: iban,
        VALID_UNTIL: dayFrom(await sandboxNow(world), 30),
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<string> => String((await lines.next()).value);
    await approve(await next());
    await world.advance('PT1M1S');
    expect(await next()).toBe('ACSC');
    child.stdin.end(`${await approve(await next())}\n`);
    expect(await next()).toBe('-12.50 Invoice 17');
  }, 60_000);
});

describe('payments of the TypeScript client', () => {
  it('are made once if an answer is lost and the next is 503: each attempt has the same key', async () => {
    let count = 0;
    const { xs2a, requests, pauses } = connect((request) => {
      if (creations([request]).length === 0) return undefined;
      count += 1;
      if (count === 1)
        return fetch(request).then(() => {
          throw new TypeError('socket hang up');
        });
      return count === 2
        ? Promise.resolve(new Response('{}', { status: 503, headers: { 'retry-after': '3' } }))
        : undefined;
    });
    const payment = await xs2a.payments.create(product, transfer());
    const sent = creations(requests);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect(new Set(sent.map(({ headers }) => headers.get('x-request-id'))).size).toBe(1);
    expect(pauses).toEqual([500, 3000]);
    expect(await xs2a.payments.get(payment)).toMatchObject({ transactionStatus: 'RCVD' });
    const again = await xs2a.payments.create(product, transfer(), {
      idempotencyKey: sent[0]?.headers.get('idempotency-key') ?? '',
    });
    expect(again.paymentId).toBe(payment.paymentId);
  });

  it('fail after five attempts, with the last answer', async () => {
    const { xs2a, requests, pauses } = connect(async (request) =>
      creations([request]).length === 0 ? undefined : new Response('{}', { status: 503 }),
    );
    expect(await refusal(xs2a.payments.create(product, transfer()))).toMatchObject({ status: 503 });
    expect([creations(requests).length, pauses]).toEqual([5, [500, 1000, 2000, 4000]]);
  });

  it('are UNREACHABLE if the bank never answers', async () => {
    const { xs2a } = connect(async (request) => {
      if (creations([request]).length > 0) throw new TypeError('connect ECONNREFUSED');
      return undefined;
    });
    const error = await refusal(xs2a.payments.create(product, transfer()));
    expect([error.code, error.status, error.requestId]).toEqual(['UNREACHABLE', undefined, undefined]);
  });

  it('show code, field, text and request id of a refusal, which is not repeated', async () => {
    const { xs2a, requests } = connect();
    const error = await refusal(xs2a.payments.create(product, transfer('1,00')));
    expect(error).toMatchObject({ code: 'FORMAT_ERROR', path: 'instructedAmount.amount', status: 400 });
    const [sent, ...more] = creations(requests);
    expect(more).toEqual([]);
    expect([error.requestId, error.text.length > 5]).toEqual([sent?.headers.get('x-request-id'), true]);
  });

  it('that were cancelled end the waiting for ACSC', async () => {
    const { xs2a } = connect();
    const payment = await xs2a.payments.create(product, transfer());
    await xs2a.payments.cancel(payment);
    const waiting = xs2a.payments.wait(payment, 'ACSC');
    await expect(waiting).rejects.toBeInstanceOf(PaymentEnded);
    await expect(waiting).rejects.toMatchObject({ status: { transactionStatus: 'CANC' } });
  });

  it('are cancelled if the answer to the cancellation is lost', async () => {
    let count = 0;
    const { xs2a } = connect((request) => {
      if (request.method !== 'DELETE' || (count += 1) > 1) return undefined;
      return fetch(request).then(() => {
        throw new TypeError('socket hang up');
      });
    });
    const payment = await xs2a.payments.create(product, transfer());
    await xs2a.payments.cancel(payment);
    expect([count, await xs2a.payments.status(payment)]).toEqual([2, { transactionStatus: 'CANC' }]);
  });

  it('without funds end the waiting for ACSC', async () => {
    const { xs2a } = connect();
    const payment = await xs2a.payments.create(product, transfer('5000.00'));
    await approve(payment._links.scaRedirect?.href ?? '');
    await world.advance('PT1M1S');
    await expect(xs2a.payments.wait(payment, 'ACSC')).rejects.toMatchObject({
      name: 'PaymentEnded',
      status: { transactionStatus: 'ACCP', fundsAvailable: false },
    });
  });

  it('are waited for until the signal aborts, also during a pause', async () => {
    const { xs2a } = connect(undefined, { wait: async () => new Promise<void>(() => undefined) });
    const payment = await xs2a.payments.create(product, transfer());
    const signal = AbortSignal.timeout(200);
    await expect(xs2a.payments.wait(payment, 'ACSC', { signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });

  it('are refused with invalid_client, once, if the client secret is wrong', async () => {
    const { xs2a, requests } = connect(undefined, { auth: { secret: 'wrong' } });
    // The first answer also shows the clock of the sandbox, so that one may be asked for twice.
    await refusal(xs2a.payments.create(product, transfer()));
    requests.length = 0;
    const error = await refusal(xs2a.payments.create(product, transfer()));
    expect([error.code, error.status]).toEqual(['invalid_client', 401]);
    expect(requests.filter(({ url }) => url.endsWith('/oauth2/token'))).toHaveLength(1);
  });

  it('can be standing orders and bulks', async () => {
    const { xs2a } = connect();
    const startDate = dayFrom(await sandboxNow(world), 1);
    const order = await xs2a.periodicPayments.create(product, {
      ...transfer(),
      startDate,
      frequency: 'Monthly',
    });
    expect(await xs2a.periodicPayments.get(order)).toMatchObject({ startDate, transactionStatus: 'RCVD' });
    const { debtorAccount, ...entry } = transfer();
    const bulk = await xs2a.bulkPayments.create(product, { debtorAccount, payments: [entry, entry] });
    expect(await xs2a.bulkPayments.status(bulk)).toMatchObject({ transactionStatus: 'RCVD' });
  });
});

describe('sessions of the TypeScript client', () => {
  it('refresh once for twenty calls at the same time, and store the new tokens before they use them', async () => {
    const { xs2a, requests } = connect();
    const saved: Tokens[] = [];
    const session = await consented(xs2a, saved);
    const [account] = await session.accounts();
    await world.advance('PT10M');
    requests.length = 0;
    const calls = Array.from({ length: 20 }, async () => session.balances(account?.resourceId ?? ''));
    expect((await Promise.all(calls)).map((balances) => balances.length > 0)).not.toContain(false);
    const refreshes = requests.filter(({ url }) => url.endsWith('/oauth2/token'));
    expect([refreshes.length, saved.length]).toEqual([1, 2]);
    const continued = xs2a.session(saved[1] ?? { accessToken: '', expiresAtMs: 0 }).at('192.0.2.2');
    expect(await continued.accounts()).toHaveLength(1);
    expect(requests.at(-1)?.headers.get('psu-ip-address')).toBe('192.0.2.2');
  });

  it('read all pages of the entries, one after the other, and only those that are needed', async () => {
    const { xs2a, requests } = connect();
    for (const amount of ['1.00', '2.00', '3.00', '4.00', '5.00']) {
      const { _links } = await xs2a.payments.create(product, transfer(amount));
      await approve(_links.scaRedirect?.href ?? '');
    }
    await world.advance('PT1M1S');
    const session = await consented(xs2a);
    const id = (await session.accounts())[0]?.resourceId ?? '';
    const amounts: string[] = [];
    for await (const entry of session.transactions(id, { pageSize: 2 }))
      amounts.push(entry.transactionAmount.amount);
    expect(amounts).toEqual(expect.arrayContaining(['-1.00', '-2.00', '-3.00', '-4.00', '-5.00']));
    expect(new Set(amounts).size).toBe(amounts.length);
    const pages = (): number => requests.filter(({ url }) => url.includes('/transactions')).length;
    const read = pages();
    expect(read).toBeGreaterThanOrEqual(3);
    for await (const entry of session.transactions(id, { pageSize: 2 })) {
      expect(entry.transactionId).toBeDefined();
      break;
    }
    expect(pages()).toBe(read + 1);
  });

  it('begin only with the return that belongs to the pending authorization', async () => {
    const { xs2a, requests } = connect();
    const { url, pending } = await xs2a.funds.start();
    const pushed = await requests.find(({ url: sentTo }) => sentTo.endsWith('/oauth2/par'))?.text();
    expect(Object.fromEntries(new URLSearchParams(pushed))).toMatchObject({
      code_challenge_method: 'S256',
      state: pending.state,
    });
    expect(`${pushed}${url}`).not.toContain(pending.verifier);
    const back = await approve(url);
    const stranger = { ...pending, state: 'another' };
    expect((await refusal(xs2a.funds.finish(back, stranger))).code).toBe('INVALID_ANSWER');
    const issuer = back.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fother.example');
    expect((await refusal(xs2a.funds.finish(issuer, pending))).code).toBe('INVALID_ANSWER');
    const session = await xs2a.funds.finish(back, pending);
    const amount = { currency: 'BGN', amount: '1.00' };
    expect(await session.confirmFunds({ instructedAmount: amount })).toBe(true);
    const refused = back.replace(/code=[^&]+/, 'error=access_denied');
    expect((await refusal(xs2a.funds.finish(refused, pending))).code).toBe('access_denied');
    const byAnother = refused.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fother.example');
    expect((await refusal(xs2a.funds.finish(byAnother, pending))).code).toBe('INVALID_ANSWER');
  });
});

describe('the clock of the TypeScript client', () => {
  it('follows a sandbox that is ahead: key-bound tokens keep working after it moved by 40 days', async () => {
    const { xs2a } = connect(undefined, { dpop: true });
    await xs2a.payments.create(product, transfer());
    await world.advance('P40D');
    const payment = await xs2a.payments.create(product, transfer());
    expect(await xs2a.payments.status(payment)).toEqual({ transactionStatus: 'RCVD' });
  });
});

describe('verifyPush of the TypeScript client', () => {
  it('accepts what the bank signed, and rejects another body, no signature and an old signature', async () => {
    const own = await registerTpp(world.baseUrl, 'Push', `${receiver.url}/callback`);
    const { clientId, clientSecret = '' } = own;
    const { xs2a } = connect(undefined, { clientId, auth: { secret: clientSecret } });
    const notificationUri = `${receiver.url}/push`;
    const payment = await xs2a.payments.create(product, transfer(), { notificationUri });
    await xs2a.payments.cancel(payment);
    await receiver.received(1);
    const [post] = receiver.posts;
    if (post === undefined) throw new Error('nothing was pushed');
    const { headers, body } = post;
    expect(await xs2a.verifyPush(headers, body)).toMatchObject({
      paymentId: payment.paymentId,
      transactionStatus: 'CANC',
    });
    expect(await xs2a.verifyPush(headers, Buffer.from(body))).toMatchObject({ transactionStatus: 'CANC' });
    const rejected = async (sent: typeof headers, text: string): Promise<string> => {
      const error = await refusal(xs2a.verifyPush(sent, text));
      return `${error.code}: ${error.text}`;
    };
    expect(await rejected(headers, body.replace('CANC', 'ACSC'))).toBe(
      'SIGNATURE_INVALID: the signature does not match the body',
    );
    expect(await rejected({ ...headers, 'x-jws-signature': undefined }, body)).toBe(
      'SIGNATURE_INVALID: no detached JWS',
    );
    expect(await rejected({ ...headers, 'x-jws-signature': 'a..a' }, body)).toBe(
      'SIGNATURE_INVALID: no base64url',
    );
    const later = new Date(Date.parse(String(headers['x-sandbox-clock'])) + 301_000).toISOString();
    expect(await rejected({ ...headers, 'x-sandbox-clock': later }, body)).toBe(
      'SIGNATURE_INVALID: signed too long ago',
    );
    // The header is not signed, so it cannot make an old notification new.
    await world.advance('PT6M');
    await xs2a.payments.status(payment);
    expect(await rejected(headers, body)).toBe('SIGNATURE_INVALID: signed too long ago');
  });
});
