import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CallRow } from '@xs2a/contracts/console.contract';
import { randomUUID } from 'node:crypto';
import { GatewayUnderTest, paymentId, product, refused } from '../testing/gateway-under-test.js';

const gateway = new GatewayUnderTest({ CALL_BODIES: true });
const without = new GatewayUnderTest();
beforeAll(async () => {
  await Promise.all([gateway.start(), without.start()]);
}, 30_000);
afterAll(async () => {
  await Promise.all([gateway.stop(), without.stop()]);
});
beforeEach(() => {
  gateway.reset();
  without.reset();
});

/** Waits for the rows of this many calls. A call gets its row once it is finished on its connection. */
const rows = async (count: number, from = gateway): Promise<readonly CallRow[]> => {
  for (;;) {
    const found = await from.rows();
    if (found.length >= count) return found.toSorted((one, other) => one.at.localeCompare(other.at));
    await new Promise(setImmediate);
  }
};
const content = async (): Promise<CallRow['content']> => (await rows(1))[0]?.content;
const initiation = `/v1/payments/${product}`;
const status = `${initiation}/${paymentId}/status`;

describe('what was sent in a call, in a sandbox with CALL_BODIES (docs/adr/0077)', () => {
  it('is kept with its method, its URL, its headers and both bodies', async () => {
    const requestId = randomUUID();
    const body = '{"instructedAmount": {"amount": 12.50}, "instructedAmount": 1}';
    gateway.answers.set(
      'svc.payments.initiate',
      refused({ failure: 'fieldMalformed', path: 'instructedAmount.amount' }),
    );
    const { text } = await gateway.call('POST', `${initiation}/?a=1`, {
      bearer: await gateway.token(),
      body,
      headers: { 'x-request-id': requestId, 'psu-ip-address': '192.0.2.1', 'x-other': 'canary' },
    });
    expect(await content()).toEqual({
      request: {
        method: 'POST',
        url: `${initiation}/?a=1`,
        headers: expect.objectContaining({
          authorization: '(hidden)',
          'content-type': 'application/json',
          'content-length': String(body.length),
          'psu-ip-address': '192.0.2.1',
          'x-other': '(hidden)',
          'x-request-id': requestId,
        }),
        body,
      },
      response: {
        headers: expect.objectContaining({
          'content-type': expect.stringContaining('application/json'),
          'x-request-id': requestId,
          'x-sandbox-clock': expect.any(String),
        }),
        body: text,
      },
    });
  });

  it('has no body of a call without one, or of one that was refused before its body was read', async () => {
    await gateway.call('GET', status, { bearer: await gateway.token() });
    await gateway.call('POST', initiation, {
      bearer: await gateway.token({ client_id: 'barred' }),
      body: '{"a":1}',
    });
    const [read, barred] = await rows(2);
    expect(read?.content?.request).not.toHaveProperty('body');
    expect(read?.content?.response.body).toBe('{"transactionStatus":"RCVD"}');
    expect(barred?.content?.request).not.toHaveProperty('body');
    expect(barred?.content?.response.body).toContain('CERTIFICATE_BLOCKED');
  });

  it('has the first 32 KiB of a longer body', async () => {
    const body = `{"remittanceInformationUnstructured":"${'щ'.repeat(20_000)}"}`;
    await gateway.call('POST', initiation, { bearer: await gateway.token(), body });
    const { request } = (await content()) ?? {};
    expect(request?.bodyCut).toBe(true);
    expect(Buffer.byteLength(request?.body ?? '')).toBeGreaterThan(32_000);
    expect(Buffer.byteLength(request?.body ?? '')).toBeLessThanOrEqual(32_770);
    expect(body.startsWith(request?.body?.slice(0, -1) ?? '-')).toBe(true);
  });

  it('contains no token, secret, code or password, wherever it was sent', async () => {
    const bearer = await gateway.token();
    const secrets = {
      client_secret: 'canary-1',
      clientAssertion: 'canary-2',
      code: 'canary-3',
      note: bearer,
    };
    await gateway.call('POST', `${initiation}?token=${bearer}&code=canary-4`, {
      bearer,
      body: JSON.stringify({ ...secrets, nested: [{ password: 'canary-5', refresh_token: 'canary-6' }] }),
      headers: {
        dpop: await gateway.token(),
        cookie: 'session=canary-7',
        'x-proxy-secret': 'canary-8',
        'tpp-notification-uri': 'https://tpp.example/canary-9',
        'tpp-redirect-uri': 'https://tpp.example/callback?state=canary-10',
      },
    });
    const text = JSON.stringify(await rows(1));
    expect(text).toContain('(hidden)');
    expect(text).not.toMatch(/canary|eyJ/);
    expect(text).not.toContain(bearer.split('.')[2]);
  });

  it('of a call with its token in the URL belongs to the TPP of the token, without it', async () => {
    const bearer = await gateway.token();
    const url = `${status}?access_token=${bearer}`;
    expect((await gateway.call('GET', url)).status).toBe(401);
    const found = await rows(1);
    expect(found[0]).toMatchObject({ tppId: 'tpp', status: 401, failure: 'tokenMissing' });
    expect(found[0]?.content?.request?.url).toContain('?access_token=(hidden)');
    expect(JSON.stringify(found)).not.toContain(bearer.split('.')[2]);
  });

  it('of a call with an expired token belongs to the TPP of the token', async () => {
    const bearer = await gateway.token({ exp: Math.floor(gateway.clock.nowMs() / 1000) - 1 });
    for (const _again of [1, 2]) await gateway.call('GET', status, { bearer });
    const found = await rows(2);
    for (const row of found) expect(row).toMatchObject({ tppId: 'tpp', status: 401, code: 'TOKEN_EXPIRED' });
    expect(found[0]?.content?.request?.url).toBe(status);
  });

  it('is not kept without a token of a TPP, or of calls that read this log', async () => {
    const bearer = await gateway.token();
    gateway.answers.set('svc.console.sandbox.requests', () => ({ ok: { requests: [] } }));
    gateway.answers.set('svc.console.sandbox.request', () => ({ ok: { requests: [] } }));
    await gateway.call('GET', status, { bearer: 'made-up' });
    await gateway.call('GET', '/sandbox/requests', { bearer });
    await gateway.call('GET', `/sandbox/requests/${randomUUID()}`, { bearer });
    const found = await rows(3);
    expect(found.map(({ operation, content: kept }) => [operation, kept])).toEqual([
      ['readPaymentStatus', undefined],
      ['listRequests', undefined],
      ['readRequest', undefined],
    ]);
  });
});

describe('without CALL_BODIES', () => {
  it('nothing is kept of what was sent', async () => {
    const bearer = await without.token();
    await without.call('POST', initiation, { bearer, body: '{}' });
    await without.call('GET', status, { bearer });
    expect((await rows(2, without)).map((row) => row.content)).toEqual([undefined, undefined]);
  });
});
