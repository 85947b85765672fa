import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { authorised, listCodes, domesticPath, domesticPayment, listPaths } from '@xs2a/test-support/requests';
import { homeCurrency } from '@xs2a/test-support/home';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let token: string;
let psu: FreshPsu;
let iban: string;

beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
  token = await tpp.applicationToken();
  psu = await world.person('1000.00', '5.00');
  iban = psu.accounts[0]?.iban ?? '';
});
afterAll(async () => world.stop());

const post = async (changes: Record<string, unknown>, headers: Record<string, string> = {}) =>
  tpp.call('POST', domesticPath, token, { json: domesticPayment(iban, '1.00', changes), headers });
const outcome = (answer: { status: number; text: string; headers: Headers }): unknown => [
  answer.status,
  listCodes(answer),
  listPaths(answer),
];

describe('an error response (contract 3)', () => {
  it('has a single shape, at most 500 characters of text, and the headers of every response', async () => {
    const answer = await tpp.call('GET', '/v1/nothing-here', token);
    expect(answer.headers.get('content-type')).toContain('application/json');
    const { tppMessages } = parseJson<{ tppMessages: Record<string, string>[] }>(answer);
    expect(Object.keys(tppMessages[0] ?? {}).sort()).toEqual(['category', 'code', 'text']);
    expect(tppMessages[0]?.['text']?.length).toBeLessThanOrEqual(500);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('is 404 RESOURCE_UNKNOWN for an unknown path, 404 PRODUCT_UNKNOWN for an unknown product, and 405 SERVICE_INVALID for a wrong method, before any token check', async () => {
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

  it('is 413 for a body over 64 KiB, 415 for a Content-Type that is not JSON, and 406 for an Accept header that excludes JSON', async () => {
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

  it('is 401 TOKEN_UNKNOWN with WWW-Authenticate if there is no token or the token is from another issuer', async () => {
    const forged = `eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0In0.${Buffer.from(JSON.stringify({ sub: 'x', exp: 9_999_999_999 })).toString('base64url')}.`;
    for (const value of [undefined, 'nonsense', forged]) {
      const answer = await tpp.call('GET', `${domesticPath}/${randomUUID()}`, value);
      expect(outcome(answer)).toEqual([401, ['TOKEN_UNKNOWN'], [undefined]]);
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    }
  });

  it('is 401 TOKEN_INVALID for the wrong kind of token or scope', async () => {
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

  // Each body is valid except for one error, so that nothing else can cause the refusal.
  const first = (members: string) => (right: string) => right.replace('{', `{${members},`);
  it.each<[string, (right: string) => string, string]>([
    ['broken JSON', (right) => right.slice(0, -1), 'body'],
    ['a duplicate key', first('"creditorName":"Petar Ivanov"'), 'creditorName'],
    [
      'JSON deeper than 16',
      first(`"a":${'{"a":'.repeat(16)}1${'}'.repeat(16)}`),
      Array.from({ length: 16 }, () => 'a').join('.'),
    ],
    ['an array', (right) => `[${right}]`, 'body'],
    ['a byte order mark', (right) => `\uFEFF${right}`, 'body'],
    ['a number beyond all bounds', first('"a":1e999'), 'a'],
    ['invalid UTF-8', (right) => right.replace('Petar', '\u00C3('), 'creditorName'],
  ])('is 400 FORMAT_ERROR with the path for %s', async (name, changed, path) => {
    const text = changed(JSON.stringify(domesticPayment(iban)));
    const answer = await tpp.call('POST', domesticPath, token, {
      raw: new Uint8Array(Buffer.from(text, name === 'invalid UTF-8' ? 'latin1' : 'utf8')),
      headers: { 'content-type': 'application/json' },
    });
    expect(outcome(answer)).toEqual([400, ['FORMAT_ERROR'], [path]]);
  });

  it.each([
    ['a control character', 'a\u0007b'],
    ['a format character', 'a\u200Bb'],
    ['a bidi override', 'a\u202Eb'],
    ['a lone surrogate', 'a\uD800b'],
    ['nothing but fillers and variation selectors', '\u3164\u2800\uFE0F'],
  ])('is 400 FORMAT_ERROR with the path for %s in a text field', async (_name, creditorName) => {
    expect(outcome(await post({ creditorName }))).toEqual([400, ['FORMAT_ERROR'], ['creditorName']]);
  });

  it('lists all violations in a body together, in field order', async () => {
    const answer = await tpp.call('POST', domesticPath, token, {
      json: {
        ...domesticPayment(iban),
        creditorName: '',
        instructedAmount: { currency: homeCurrency, amount: '0' },
        debtorAccount: {},
        purposeCode: 'GOVT',
        surprise: 1,
      },
    });
    expect(answer.status).toBe(400);
    const paths = listPaths(answer);
    expect(new Set(listCodes(answer))).toEqual(new Set(['FORMAT_ERROR']));
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
  ])('is 400 FORMAT_ERROR with instructedAmount.amount for the amount %j', async (amount) => {
    expect(outcome(await post({ instructedAmount: { currency: homeCurrency, amount } }))).toEqual([
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
  ])('is 400 FORMAT_ERROR for the header %s: %j', async (name, value) => {
    const answer = await post({}, { [name]: value });
    expect([answer.status, listCodes(answer)]).toEqual([400, ['FORMAT_ERROR']]);
    expect(listPaths(answer)[0]?.toLowerCase()).toBe(name);
  });

  it('is returned for a repeated header that must occur only once', async () => {
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

  it('has the same shape for requests that are malformed HTTP, and is never a 5xx', async () => {
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
});
