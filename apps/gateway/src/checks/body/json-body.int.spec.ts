import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayUnderTest, product, readCode, refused } from '../../testing/gateway-under-test.js';

const gateway = new GatewayUnderTest();
beforeAll(async () => gateway.start(), 30_000);
afterAll(async () => gateway.stop());
beforeEach(() => gateway.reset());

describe('forwarding a body (contract 3)', () => {
  it('replaces the values of unknown members with null, whatever their size (contract 3)', async () => {
    const bearer = await gateway.token();
    const large = 'x'.repeat(25_000);
    const body = JSON.stringify({ colour: large, creditorName: 'Иван', [large]: 1, 'a b': [{}] });
    await gateway.call('POST', `/v1/payments/${product}`, { bearer, body });
    await gateway.call('POST', '/v1/consents', { bearer, body: '{"colour":{"a":1},"validUntil":"x"}' });
    await gateway.call('POST', '/v1/signing-baskets', { bearer, body: '{"colour":[1],"paymentIds":["a"]}' });
    expect(gateway.asked.map(({ request }) => request['body'])).toEqual([
      { colour: null, creditorName: 'Иван', '?2': null, 'a b': null },
      { colour: null, validUntil: 'x' },
      { colour: null, paymentIds: ['a'] },
    ]);
  });

  it.each([
    ['65 members', JSON.stringify(Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`m${at}`, at])))],
    ['101 elements', JSON.stringify({ payments: Array(101).fill(0) })],
    ['10,001 values', JSON.stringify({ a: Array.from({ length: 100 }, () => Array(100).fill(0)), b: 0 })],
  ])(
    'rejects a body with %s (the error has no path), unless the service first reports a reused idempotency key (contract 3)',
    async (_name, body) => {
      const bearer = await gateway.token();
      const sent = { bearer, body, headers: { 'idempotency-key': 'k-9' } };
      const answer = await gateway.call('POST', `/v1/payments/${product}`, sent);
      expect([answer.status, answer.body.tppMessages]).toEqual([
        400,
        [{ category: 'ERROR', code: 'FORMAT_ERROR', text: expect.stringContaining('more than') }],
      ]);
      gateway.answers.set('svc.payments.check-before-body', refused({ failure: 'idempotencyKeyReused' }));
      expect(readCode(await gateway.call('POST', `/v1/payments/${product}`, sent))).toBe(
        '409 STATUS_INVALID',
      );
    },
  );

  const key = (path: string) => ({ key: 'k-9', path: `POST ${path}`, hash: expect.any(String) });
  it.each([
    [
      `/payments/${product}`,
      'svc.payments.check-before-body',
      { tppId: 'tpp', psuCorporateId: 'acme', product },
    ],
    ['/signing-baskets', 'svc.payments.check-before-body', { tppId: 'tpp', psuCorporateId: 'acme' }],
    ['/consents', 'svc.consents.check-before-body', { tppId: 'tpp', psuId: 'ivan', psuCorporateId: 'acme' }],
    ['/sandbox/tpps', 'svc.auth.sandbox.check-tpp-before-body', {}],
    ['/sandbox/psus', 'svc.accounts.sandbox.check-psu-before-body', { tppId: 'tpp' }],
    [
      '/sandbox/accounts/BG1/deposit',
      'svc.accounts.sandbox.check-deposit-before-body',
      { tppId: 'tpp', iban: 'BG1' },
    ],
  ])(
    'of POST %s only checks what comes before the body if the body is not JSON: calls %s',
    async (path, subject, checked) => {
      const headers = { 'idempotency-key': 'k-9', 'psu-id': 'ivan', 'psu-corporate-id': 'acme' };
      const sent = { bearer: await gateway.token(), body: '{', headers };
      expect(readCode(await gateway.call('POST', path, sent))).toBe('400 FORMAT_ERROR');
      for (const [failure, code] of [
        ['idempotencyKeyReused', '409 STATUS_INVALID'],
        ['resourceUnknown', '404 RESOURCE_UNKNOWN'],
        ['dependencyDown', '503 INTERNAL_SERVER_ERROR'],
      ] as const) {
        gateway.answers.set(subject, refused({ failure }));
        expect(readCode(await gateway.call('POST', path, sent))).toBe(code);
      }
      const asked = { subject, request: { ...checked, idempotencyKey: key(path) } };
      expect(gateway.asked).toEqual([asked, asked, asked, asked]);
    },
  );

  it('forwards a bulk payment of 250 payments byte for byte', async () => {
    const bearer = await gateway.token();
    const body = `{ "payments" : ${JSON.stringify(Array.from({ length: 250 }, () => ({ creditorName: 'Иван', amount: 1e2 })))} }`;
    expect((await gateway.call('POST', `/v1/bulk-payments/${product}`, { bearer, body })).status).toBe(201);
    expect(gateway.asked[0]?.request['body']).toEqual(JSON.parse(body));
  });
});
