import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jsonOf, send } from '@xs2a/sandbox/http';
import { walkAndApprove } from '@xs2a/sandbox/psu-walk';
import type { TppClient } from '@xs2a/sandbox/tpp-client';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import {
  authorised,
  codesOf,
  consentBody,
  consented,
  dayFrom,
  domesticPath,
  domesticPayment,
  initiate,
  pathsOf,
  sandboxNow,
} from './requests.js';
import { type FreshPsu, World } from './world.js';

let world: World;
let tpp: TppClient;
let token: string;
let psu: FreshPsu;
let iban: string;
let now: string;

beforeAll(async () => {
  world = await World.start();
  tpp = world.tpp();
  token = await tpp.applicationToken();
  psu = await world.person('1000.00', '5.00');
  iban = psu.accounts[0]?.iban ?? '';
  now = await sandboxNow(world);
});
afterAll(async () => world.stop());

const post = async (changes: Record<string, unknown>, headers: Record<string, string> = {}) =>
  tpp.call('POST', domesticPath, token, { json: domesticPayment(iban, '1.00', changes), headers });
const outcome = (answer: { status: number; text: string; headers: Headers }): unknown => [
  answer.status,
  codesOf(answer),
  pathsOf(answer),
];

/** Without the paths. */
const verdict = (answer: { status: number; text: string; headers: Headers }): unknown => [
  answer.status,
  codesOf(answer),
];

describe('the error form (contract 3)', () => {
  it('has one shape, at most 500 characters of text, and the headers of every answer', async () => {
    const answer = await tpp.call('GET', '/v1/nothing-here', token);
    expect(answer.headers.get('content-type')).toContain('application/json');
    const { tppMessages } = jsonOf<{ tppMessages: Record<string, string>[] }>(answer);
    expect(Object.keys(tppMessages[0] ?? {}).sort()).toEqual(['category', 'code', 'text']);
    expect(tppMessages[0]?.['text']?.length).toBeLessThanOrEqual(500);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('unknown path 404 RESOURCE_UNKNOWN; unknown product 404 PRODUCT_UNKNOWN; wrong method 405 SERVICE_INVALID, before any token is looked at', async () => {
    expect(outcome(await tpp.call('GET', '/v1/nothing', undefined))).toEqual([
      404,
      ['RESOURCE_UNKNOWN'],
      [undefined],
    ]);
    expect(outcome(await tpp.call('POST', '/v1/payments/teleport', undefined, { json: {} }))).toEqual([
      404,
      ['PRODUCT_UNKNOWN'],
      [undefined],
    ]);
    const wrong = await tpp.call('PUT', domesticPath, undefined, { json: {} });
    expect(outcome(wrong)).toEqual([405, ['SERVICE_INVALID'], [undefined]]);
    expect(wrong.headers.get('allow')).toContain('POST');
  });

  it('body over 64 KiB 413; not JSON by its Content-Type 415; Accept that excludes JSON 406', async () => {
    const big = await post({ remittanceInformationUnstructured: 'x'.repeat(70_000) });
    expect(outcome(big)).toEqual([413, ['FORMAT_ERROR'], [undefined]]);
    const text = await tpp.call('POST', domesticPath, token, {
      raw: '{}',
      headers: { 'content-type': 'text/plain' },
    });
    expect(outcome(text)).toEqual([415, ['FORMAT_ERROR'], ['Content-Type']]);
    const xml = await post({}, { accept: 'application/xml' });
    expect(outcome(xml)).toEqual([406, ['REQUESTED_FORMATS_INVALID'], ['Accept']]);
  });

  it('no token, a token that is not ours: 401 TOKEN_UNKNOWN with WWW-Authenticate', async () => {
    const forged = `eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0.${Buffer.from(JSON.stringify({ sub: 'x', exp: 9_999_999_999 })).toString('base64url')}.`;
    for (const value of [undefined, 'nonsense', forged]) {
      const answer = await tpp.call('GET', `${domesticPath}/${randomUUID()}`, value);
      expect(outcome(answer)).toEqual([401, ['TOKEN_UNKNOWN'], [undefined]]);
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    }
  });

  it('the wrong kind of token or scope: 401 TOKEN_INVALID', async () => {
    const aiOnly = await tpp.applicationToken('PSP_AI');
    expect(outcome(await tpp.call('POST', domesticPath, aiOnly, { json: domesticPayment(iban) }))).toEqual([
      401,
      ['TOKEN_INVALID'],
      [undefined],
    ]);
    expect(outcome(await tpp.call('GET', '/v1/accounts', token))).toEqual([
      401,
      ['TOKEN_INVALID'],
      [undefined],
    ]);
    const user = await authorised(world, tpp, psu, 'PSP_IC');
    expect(outcome(await tpp.call('POST', '/v1/consents', user.access_token, { json: {} }))).toEqual([
      401,
      ['TOKEN_INVALID'],
      [undefined],
    ]);
  });

  it.each([
    ['broken JSON', '{"a":'],
    ['a duplicate key', '{"creditorName":"A","creditorName":"B"}'],
    ['JSON deeper than 16', `${'{"a":'.repeat(20)}1${'}'.repeat(20)}`],
    ['an array', '[]'],
    ['a byte order mark', '\uFEFF{}'],
    ['a number beyond all bounds', '{"a":1e999}'],
  ])('%s: 400 FORMAT_ERROR', async (_name, raw) => {
    const answer = await tpp.call('POST', domesticPath, token, {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.status, new Set(codesOf(answer))]).toEqual([400, new Set(['FORMAT_ERROR'])]);
  });

  it('invalid UTF-8: 400 FORMAT_ERROR', async () => {
    const raw = new Uint8Array([
      ...new TextEncoder().encode('{"creditorName":"'),
      0xc3,
      0x28,
      ...new TextEncoder().encode('"}'),
    ]);
    const answer = await tpp.call('POST', domesticPath, token, {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(400);
  });

  it.each([
    ['a control character', 'a\u0007b'],
    ['a format character', 'a\u200Bb'],
    ['a bidi override', 'a\u202Eb'],
    ['a lone surrogate', 'a\uD800b'],
  ])('%s in text: 400 FORMAT_ERROR with its path', async (_name, creditorName) => {
    expect(outcome(await post({ creditorName }))).toEqual([400, ['FORMAT_ERROR'], ['creditorName']]);
  });

  it('lists all violations of one body together, in field order', async () => {
    const answer = await tpp.call('POST', domesticPath, token, {
      json: {
        ...domesticPayment(iban),
        creditorName: '',
        instructedAmount: { currency: 'BGN', amount: '0' },
        debtorAccount: {},
        purposeCode: 'GOVT',
        surprise: 1,
      },
    });
    expect(answer.status).toBe(400);
    const paths = pathsOf(answer);
    expect(new Set(codesOf(answer))).toEqual(new Set(['FORMAT_ERROR']));
    for (const path of ['instructedAmount.amount', 'creditorName', 'purposeCode', 'surprise'])
      expect(paths).toContain(path);
    expect(paths.findIndex((path) => path?.startsWith('debtorAccount'))).toBeLessThan(
      paths.indexOf('instructedAmount.amount'),
    );
    expect(paths.indexOf('instructedAmount.amount')).toBeLessThan(paths.indexOf('creditorName'));
    expect(answer.text).not.toContain('GOVT');
  });

  it.each([
    '0',
    '0.00',
    '-1.00',
    '1.001',
    '1,00',
    '1e2',
    '01.00',
    '1.',
    '.5',
    ' 1.00',
    '100000000000000.00',
    1,
    null,
    '１.00',
    '1.00\n',
  ])('the amount %j is refused: 400 FORMAT_ERROR with instructedAmount.amount', async (amount) => {
    expect(outcome(await post({ instructedAmount: { currency: 'BGN', amount } }))).toEqual([
      400,
      ['FORMAT_ERROR'],
      ['instructedAmount.amount'],
    ]);
  });

  it.each([
    ['x-request-id', 'not-a-uuid'],
    ['psu-ip-address', '999.1.1.1'],
    ['psu-ip-address', ''],
    ['tpp-redirect-uri', 'https://evil.example/callback'],
    ['tpp-redirect-uri', 'javascript:alert(1)'],
    ['tpp-redirect-uri', 'http://user@127.0.0.1:8090/callback'],
    ['tpp-nok-redirect-uri', 'http://127.0.0.1:8090/callback#fragment'],
    ['idempotency-key', 'k'.repeat(200)],
  ])('the header %s: %j is refused: 400 FORMAT_ERROR', async (name, value) => {
    const answer = await post({}, { [name]: value });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['FORMAT_ERROR']]);
    expect(pathsOf(answer)[0]?.toLowerCase()).toBe(name);
  });

  it('a repeated header that must be single is refused', async () => {
    const body = JSON.stringify(domesticPayment(iban));
    const { hostname, port } = new URL(world.baseUrl);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST ${domesticPath} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
            `PSU-IP-Address: 1.1.1.1\r\nPSU-IP-Address: 2.2.2.2\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
        );
      });
      let text = '';
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('FORMAT_ERROR');
  });

  it('answers malformed requests below HTTP in the error form, never with a 5xx', async () => {
    const { hostname, port } = new URL(world.baseUrl);
    const raw = async (text: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect(Number(port), hostname, () => socket.end(text));
        let answer = '';
        socket.on('data', (chunk: Buffer) => {
          answer += chunk.toString();
        });
        socket.on('end', () => resolve(answer));
        socket.on('error', reject);
      });
    for (const text of [
      'NONSENSE\r\n\r\n',
      `GET /v1/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      `GET /v1/accounts/%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      `BREW /v1/accounts HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    ]) {
      const answer = await raw(text);
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(answer).toContain('tppMessages');
    }
  });

  it('details that make another type of payment: 403 PRODUCT_INVALID, naming the product that fits', async () => {
    const answer = await post({ creditorAccount: { iban: 'DE89370400440532013000' } });
    expect([answer.status, codesOf(answer)]).toEqual([403, ['PRODUCT_INVALID']]);
    expect(answer.text).toContain('cross-border-credit-transfer');
  });

  it('a currency that the profile does not support: 400 PAYMENT_FAILED', async () => {
    expect(outcome(await post({ instructedAmount: { currency: 'EUR', amount: '1.00' } }))).toEqual([
      400,
      ['PAYMENT_FAILED'],
      ['instructedAmount.currency'],
    ]);
    expect(verdict(await post({ instructedAmount: { currency: 'XXX', amount: '1.00' } }))).toEqual([
      400,
      ['PAYMENT_FAILED'],
    ]);
  });

  it('an execution date in the past: 400 EXECUTION_DATE_INVALID; one that does not exist: FORMAT_ERROR', async () => {
    expect(outcome(await post({ requestedExecutionDate: dayFrom(now, -1) }))).toEqual([
      400,
      ['EXECUTION_DATE_INVALID'],
      ['requestedExecutionDate'],
    ]);
    expect(outcome(await post({ requestedExecutionDate: '2026-02-30' }))).toEqual([
      400,
      ['FORMAT_ERROR'],
      ['requestedExecutionDate'],
    ]);
  });

  it('debtor account that cannot pay, and the same account twice: 400 PAYMENT_FAILED', async () => {
    const failed = async (body: Record<string, unknown>): Promise<unknown> =>
      outcome(await tpp.call('POST', domesticPath, token, { json: body }));
    const causes = [
      domesticPayment('BG88XSBK92001000000031'),
      domesticPayment('BG45XSBK92001500000012'),
      domesticPayment('BG50XSBK92001400000003'),
      domesticPayment('BG26RZBB91551023456789', '1.00', {
        creditorAccount: { iban: 'BG39BNBG96613100195002' },
      }),
    ];
    for (const body of causes)
      expect(await failed(body)).toEqual([400, ['PAYMENT_FAILED'], ['debtorAccount']]);
    expect(await failed(domesticPayment(iban, '1.00', { creditorAccount: { iban } }))).toEqual([
      400,
      ['PAYMENT_FAILED'],
      ['creditorAccount'],
    ]);
  });

  it('authorising what is final shows a page without a form to sign in', async () => {
    const payment = await initiate(tpp, token, domesticPayment(iban));
    await tpp.call('DELETE', payment.path, token);
    const page = await world.browser().open(payment.scaRedirect);
    expect(page.status).toBeLessThan(500);
    expect(page.forms.flatMap(({ inputs }) => inputs.map(({ name }) => name))).not.toContain('psuId');
  });

  it('Consent-ID that differs from the token: 400 CONSENT_UNKNOWN; wrong query values name their parameter', async () => {
    const { tokens } = await consented(world, tpp, psu, consentBody([iban], dayFrom(now, 30)));
    const get = async (path: string, headers: Record<string, string> = {}) =>
      tpp.call('GET', path, tokens.access_token, {
        headers: { 'psu-ip-address': '198.51.100.7', ...headers },
      });
    expect(verdict(await get('/v1/accounts', { 'consent-id': randomUUID() }))).toEqual([
      400,
      ['CONSENT_UNKNOWN'],
    ]);
    const { accounts } = jsonOf<{ accounts: { resourceId: string }[] }>(await get('/v1/accounts'));
    const path = `/v1/accounts/${accounts[0]?.resourceId}/transactions`;
    for (const [query, code, parameter] of [
      ['pageSize=0', 'FORMAT_ERROR', 'pageSize'],
      ['pageSize=501', 'FORMAT_ERROR', 'pageSize'],
      ['pageSize=x', 'FORMAT_ERROR', 'pageSize'],
      ['dateFrom=2026-13-01', 'FORMAT_ERROR', 'dateFrom'],
      ['bookingStatus=maybe', 'FORMAT_ERROR', 'bookingStatus'],
      ['cursor=forged', 'FORMAT_ERROR', 'cursor'],
      [`dateFrom=${dayFrom(now, -1)}&dateTo=${dayFrom(now, -2)}`, 'PERIOD_INVALID', 'dateTo'],
    ] as const) {
      const answer = await get(`${path}?${query}`);
      expect([query, answer.status, codesOf(answer)]).toEqual([query, 400, [code]]);
      expect(pathsOf(answer)[0]).toMatch(parameter === 'dateTo' ? /date(From|To)/ : new RegExp(parameter));
    }
  });

  it('consent bodies: neither PSU-ID nor PSU-Corporate-ID, an unknown corporate, wrong arrays', async () => {
    const body = consentBody([iban], dayFrom(now, 30));
    const create = async (json: unknown, headers: Record<string, string>): Promise<unknown> =>
      verdict(await tpp.call('POST', '/v1/consents', token, { json, headers }));
    expect(await create(body, {})).toEqual([400, ['FORMAT_ERROR']]);
    expect(await create(body, { 'psu-corporate-id': 'nobody' })).toMatchObject([
      401,
      ['CORPORATE_ID_INVALID'],
    ]);
    const who = { 'psu-id': psu.psuId };
    for (const changes of [
      { access: {} },
      { access: { accounts: [] } },
      { access: { accounts: [{ iban }], balances: [], transactions: [{ iban }] } },
      { access: { accounts: [{ iban: 'BG00XSBK92001000000001' }] } },
      { validUntil: dayFrom(now, -1) },
      { frequencyPerDay: 0 },
      { frequencyPerDay: 1.5 },
      { recurringIndicator: false, frequencyPerDay: 4 },
      { recurringIndicator: 'yes' },
      { combinedServiceIndicator: 'perhaps' },
      { extra: 1 },
    ]) {
      expect([changes, await create({ ...body, ...changes }, who)]).toMatchObject([
        changes,
        [400, ['FORMAT_ERROR']],
      ]);
    }
  });

  it('an API version that is not published: 400 PARAMETER_NOT_SUPPORTED; the answer tells which one served it', async () => {
    const { tokens } = await consented(world, tpp, psu, consentBody([iban], dayFrom(now, 30)));
    const get = async (version?: string) =>
      tpp.call('GET', '/v1/accounts', tokens.access_token, {
        headers: {
          'psu-ip-address': '198.51.100.7',
          ...(version === undefined ? {} : { 'x-api-version': version }),
        },
      });
    expect(verdict(await get('9.9.9'))).toEqual([400, ['PARAMETER_NOT_SUPPORTED']]);
    expect((await get('1.3.2')).headers.get('x-api-version')).toBe('1.3.2');
    expect((await get()).headers.get('x-api-version')).toBe('1.3.2.2');
  });

  it('/oauth2 answers in RFC 6749 form', async () => {
    const answer = await send('POST', `${world.baseUrl}/oauth2/token`, {
      form: new URLSearchParams({ grant_type: 'password' }),
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(typeof jsonOf(answer)['error']).toBe('string');
  });
});

describe('after the payment is signed', () => {
  it('the browser that comes again sees that the link was used', async () => {
    const payment = await initiate(tpp, token, domesticPayment(iban));
    await walkAndApprove(world.browser(), payment.scaRedirect, psu);
    const page = await world.browser().open(payment.scaRedirect);
    expect(page.forms.flatMap(({ inputs }) => inputs.map(({ name }) => name))).not.toContain('psuId');
  });
});
