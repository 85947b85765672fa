import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { failures } from '@xs2a/domain/failure/failures';
import { newSandboxAuthority } from '@xs2a/qwac/sandbox-authority';
import { randomUUID } from 'node:crypto';
import {
  type Answer,
  authorisationId,
  GatewayUnderTest,
  paymentId,
  product,
  readCode,
} from '../testing/gateway-under-test.js';

const secret = 'a proxy secret of more than thirty-two characters';
const gateway = new GatewayUnderTest({
  SHARE_REQUESTS: 3,
  SHARE_BYTES: 1024 * 1024,
  CLIENT_CERTIFICATES: 'optional',
  CLIENT_CERTIFICATE_HEADER: 'x-ssl-client-cert',
  CLIENT_CERTIFICATE_FORM: 'escaped-pem',
  PROXY_SECRET: secret,
  TRUST_ANCHORS: newSandboxAuthority(Date.now()).certificate,
});
beforeAll(async () => gateway.start(), 30_000);
afterAll(async () => gateway.stop());

const held: (() => void)[] = [];
const release = (): void => {
  for (const one of held.splice(0)) one();
};
const turn = async (): Promise<unknown> => new Promise(setImmediate);
/** Waits until the condition is true. Fails after five seconds. */
const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  const giveUpAt = performance.now() + 5000;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error('it did not happen in time');
    await turn();
  }
};
const payments = `/v1/payments/${product}`;
const bulks = `/v1/bulk-payments/${product}`;
const post = async (path: string, body = '{}', key: string = randomUUID()): Promise<Answer> =>
  gateway.call('POST', path, { bearer: await gateway.token(), body, headers: { 'idempotency-key': key } });

beforeEach(() => {
  gateway.reset();
  const ok = { ok: { paymentId, authorisationId, product } };
  gateway.answers.set(
    'svc.payments.initiate',
    async () => new Promise((resolve) => held.push(() => resolve(ok))),
  );
  gateway.answers.set('svc.auth.present', () => ({ ok: {} }));
});
afterEach(async () => {
  release();
  for (const answer of gateway.slowPages.splice(0)) answer();
});

/** Sends POSTs and waits until the payments service has received them all. It leaves them unanswered. */
const holdPosts = async (count: number, path = payments, body = '{}'): Promise<Promise<Answer>[]> => {
  const sent = Array.from({ length: count }, async () => post(path, body));
  await until(() => held.length === count);
  return sent;
};

describe('the share of a TPP (contract 3)', () => {
  it('returns 429 ACCESS_EXCEEDED with Retry-After 1 and its own text when exceeded, without calling a service or using up a key', async () => {
    const sent = await holdPosts(3);
    const key = 'a key of its own';
    const refused = await post(payments, '{}', key);
    expect([readCode(refused), refused.headers.get('retry-after')]).toEqual(['429 ACCESS_EXCEEDED', '1']);
    expect(refused.body.tppMessages).toEqual([
      { category: 'ERROR', code: 'ACCESS_EXCEEDED', text: failures.shareExceeded[2] },
    ]);
    expect(failures.shareExceeded[2]).not.toBe(failures.accessExceeded[2]);
    expect(gateway.asked).toHaveLength(3);
    release();
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([201, 201, 201]);
    const again = post(payments, '{}', key);
    await until(() => held.length === 1);
    release();
    expect((await again).status).toBe(201);
  });

  it('is separate from that of another TPP, which is served even from the same address', async () => {
    const sent = await holdPosts(3);
    const bearer = await gateway.token({ client_id: 'ai-only', scope: 'PSP_AI' });
    const path = `/v1/consents/${paymentId}/status`;
    expect((await gateway.call('GET', path, { bearer })).status).toBe(200);
    const own = { bearer: await gateway.token({ scope: 'PSP_AI' }) };
    expect(readCode(await gateway.call('GET', path, own))).toBe('429 ACCESS_EXCEEDED');
    release();
    await Promise.all(sent);
  });

  it('is checked at the token stage, which comes after path and token, and before role, headers and body', async () => {
    const sent = await holdPosts(3);
    const bearer = await gateway.token();
    const codes = [
      await gateway.call('POST', '/v1/nothing', { bearer }),
      await gateway.call('POST', '/v1/payments/unknown', { bearer }),
      await gateway.call('PUT', payments, { bearer }),
      await gateway.call('POST', payments, { bearer: 'x.y.z' }),
      await gateway.call('POST', payments, { bearer: await gateway.token({}, { expiresIn: -60 }) }),
      await gateway.call('POST', payments, { bearer, headers: { 'x-request-id': 'no uuid' } }),
      await gateway.call('POST', payments, { bearer, headers: { accept: 'text/html' }, body: '{' }),
      await gateway.call('POST', payments, { bearer: await gateway.token({ scope: 'PSP_AI' }) }),
    ].map(readCode);
    expect(codes).toEqual([
      '404 RESOURCE_UNKNOWN',
      '404 PRODUCT_UNKNOWN',
      '405 SERVICE_INVALID',
      '401 TOKEN_UNKNOWN',
      '401 TOKEN_EXPIRED',
      ...Array(3).fill('429 ACCESS_EXCEEDED'),
    ]);
    release();
    await Promise.all(sent);
  });

  it('is also limited in bytes, and counts the declared length before the body arrives', async () => {
    const large = `{"payments":[]${' '.repeat(700_000)}}`;
    const sent = await holdPosts(1, bulks, large);
    expect(readCode(await post(bulks, large))).toBe('429 ACCESS_EXCEEDED');
    const head = [
      `POST ${bulks} HTTP/1.1`,
      'Host: 127.0.0.1',
      `Authorization: Bearer ${await gateway.token()}`,
      'Content-Type: application/json',
      'Content-Length: 700000',
      'Connection: close',
    ];
    expect(await gateway.bare(`${head.join('\r\n')}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 429 /);
    const small = post(payments);
    await until(() => held.length === 2);
    release();
    await Promise.all(sent);
    expect((await small).status).toBe(201);
  });

  it('is released immediately if the client disconnects while sending, and otherwise when the work has ended', async () => {
    const bearer = await gateway.token();
    const head = [
      `POST ${payments} HTTP/1.1`,
      'Host: 127.0.0.1',
      `Authorization: Bearer ${bearer}`,
      'Content-Type: application/json',
    ].join('\r\n');
    const statusPath = `${payments}/${paymentId}/status`;
    const isFull = async (): Promise<boolean> =>
      (await gateway.call('GET', statusPath, { bearer })).status === 429;
    /** Lets three clients send this text and disconnect once `when` resolves. */
    const hangUp = async (rest: string, when: () => Promise<void>): Promise<void> => {
      const over = Promise.withResolvers<void>();
      const clients = Array.from({ length: 3 }, async () =>
        gateway.hangUp(`${head}\r\n${rest}`, async () => over.promise),
      );
      await when().finally(over.resolve);
      await Promise.all(clients);
    };
    expect(await isFull()).toBe(false);
    const other = await gateway.token({ client_id: 'ai-only', scope: 'PSP_AI' });
    await hangUp('Content-Length: 10\r\n\r\n{', async () => {
      // The response arrives only after the headers sent earlier have been processed.
      for (let times = 0; times < 5; times += 1)
        await gateway.call('GET', `/v1/consents/${paymentId}/status`, { bearer: other });
      expect(await isFull()).toBe(true);
    });
    await until(async () => !(await isFull()));
    expect(gateway.asked.every(({ subject }) => subject !== 'svc.payments.initiate')).toBe(true);
    await hangUp('Content-Length: 2\r\n\r\n{}', async () => until(() => held.length === 3));
    expect(await isFull()).toBe(true);
    release();
    await until(async () => !(await isFull()));
  });
});

describe('the share of an address before a token is verified (contract 3)', () => {
  const at = (address: string): Record<string, string> => ({
    'x-proxy-secret': secret,
    'x-forwarded-for': `192.0.2.1, ${address}`,
  });
  const holdPages = async (address: string): Promise<Promise<Answer>[]> => {
    const pages = Array.from({ length: 3 }, async () =>
      gateway.call('GET', '/sca/slow', { headers: at(address) }),
    );
    await until(() => gateway.slowPages.length === 3);
    return pages;
  };

  it('returns 429 in the format of each path when exceeded, while other addresses are served', async () => {
    const pages = await holdPages('203.0.113.9');
    const headers = at('203.0.113.9');
    const token = await gateway.call('POST', '/oauth2/token', { headers });
    expect([token.status, token.headers.get('retry-after'), token.body['error']]).toEqual([
      429,
      '1',
      'temporarily_unavailable',
    ]);
    const page = await gateway.call('GET', '/sca/apps', { headers });
    expect([page.status, page.headers.get('retry-after')]).toEqual([429, '1']);
    expect(page.text).toContain('Wait 1 second,');
    for (const [method, path] of [
      ['GET', '/openapi.json'],
      ['GET', '/docs'],
      ['POST', payments],
      ['POST', '/sandbox/tpps'],
    ] as const) {
      const answer = await gateway.call(method, path, { headers });
      expect([path, readCode(answer), answer.headers.get('retry-after')]).toEqual([
        path,
        '429 ACCESS_EXCEEDED',
        '1',
      ]);
    }
    for (const [path, status] of [
      ['/health/live', 200],
      ['/v1/nothing', 404],
      ['/sca/../x', 404],
    ] as const)
      expect([path, (await gateway.call('GET', path, { headers })).status]).toEqual([path, status]);
    const elsewhere = at('203.0.113.10');
    expect((await gateway.call('POST', '/oauth2/token', { headers: elsewhere })).status).toBe(200);
    expect((await gateway.call('GET', '/openapi.json', { headers: elsewhere })).status).toBe(200);
    for (const answer of gateway.slowPages.splice(0)) answer();
    await Promise.all(pages);
    expect((await gateway.call('POST', '/oauth2/token', { headers })).status).toBe(200);
  });

  it('also limits calls whose URL the router cannot parse: beyond the share, the gateway verifies no token for the log', async () => {
    const pages = await holdPages('203.0.113.11');
    const bearer = await gateway.token();
    const ids = [randomUUID(), randomUUID()] as const;
    for (const [index, address] of ['203.0.113.11', '203.0.113.12'].entries()) {
      const headers = { ...at(address), 'x-request-id': ids[index] ?? '' };
      expect((await gateway.call('GET', '/v1/%zz', { bearer, headers })).status).toBe(404);
    }
    const loggedIds = async () => (await gateway.rows()).map(({ requestId }) => requestId);
    await until(async () => (await loggedIds()).includes(ids[1]));
    expect(await loggedIds()).not.toContain(ids[0]);
    for (const answer of gateway.slowPages.splice(0)) answer();
    await Promise.all(pages);
    for (let times = 0; times < 4; times += 1)
      await gateway.call('GET', '/v1/%zz', { bearer, headers: at('203.0.113.11') });
    expect((await gateway.call('GET', '/sca/apps', { headers: at('203.0.113.11') })).status).toBe(200);
  });

  it('is not used up by requests in progress whose token has been verified, because they count towards their TPP', async () => {
    const sent = await holdPosts(3);
    expect((await gateway.call('GET', '/openapi.json')).status).toBe(200);
    release();
    await Promise.all(sent);
  });

  it('is not used up by a large declared length, because so many bytes would never be read', async () => {
    const head = 'POST /oauth2/token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999\r\n\r\na';
    await gateway.hangUp(head, async () => {
      for (let times = 0; times < 5; times += 1) {
        expect((await gateway.call('POST', '/oauth2/token')).status).toBe(200);
      }
    });
  });
});
