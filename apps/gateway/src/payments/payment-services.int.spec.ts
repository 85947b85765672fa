import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { exampleBulk } from '@xs2a/domain/bulk/example-bulks';
import { exampleOrder } from '@xs2a/domain/order/example-order';
import { paymentServices } from '@xs2a/domain/payment/payment-services';
import {
  type Answer,
  authorisationId,
  readCode,
  GatewayUnderTest,
  paymentId,
  product,
  refused,
} from '../testing/gateway-under-test.js';

const gateway = new GatewayUnderTest();
beforeAll(async () => gateway.start(), 30_000);
afterAll(async () => gateway.stop());
beforeEach(() => gateway.reset());

const orderBody = JSON.stringify(exampleOrder);
const bulkBody = JSON.stringify(exampleBulk(product));
const post = async (path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> =>
  gateway.call('POST', path, { bearer: await gateway.token(), body, headers });

describe('periodic and bulk payments over HTTP (spec 4.6, contract 9)', () => {
  it.each([
    ['/v1/periodic-payments/domestic', 'periodic-payments', orderBody],
    ['/periodic-payments/DOMESTIC', 'periodic-payments', orderBody],
    [`/v1/periodic-payments/${product}s`, 'periodic-payments', orderBody],
    [`/v1/bulk-payments/${product}`, 'bulk-payments', bulkBody],
  ])(
    'POST %s calls the payments service and returns links with the canonical path',
    async (path, service, body) => {
      const answer = await post(path, body, { 'idempotency-key': 'k-1' });
      const self = `/v1/${service}/${product}/${paymentId}`;
      expect([
        answer.status,
        answer.headers.get('location'),
        answer.headers.get('aspsp-sca-approach'),
      ]).toEqual([201, self, 'REDIRECT']);
      expect(answer.body).toMatchObject({
        transactionStatus: 'RCVD',
        paymentId,
        _links: {
          self: { href: self },
          status: { href: `${self}/status` },
          scaStatus: { href: `${self}/authorisations/${authorisationId}` },
        },
      });
      expect(gateway.asked.map(({ request }) => request)).toEqual([
        expect.objectContaining({
          service,
          product,
          body: JSON.parse(body),
          idempotencyKey: expect.objectContaining({ key: 'k-1', path: `POST /${service}/${product}` }),
        }),
      ]);
    },
  );

  it.each(paymentServices)(
    '%s: every call forwards the payment service to the payments service',
    async (service) => {
      const path = `/v1/${service}/${product}/${paymentId}`;
      const bearer = await gateway.token();
      for (const subject of ['read', 'read-status', 'authorisations.list', 'cancel', 'authorisations.start'])
        gateway.answers.set(`svc.payments.${subject}`, refused({ failure: 'serviceWrong' }));
      for (const [method, rest] of [
        ['GET', ''],
        ['GET', '/status'],
        ['DELETE', ''],
        ['GET', '/authorisations'],
        ['GET', `/authorisations/${authorisationId}`],
        ['POST', '/authorisations'],
        ['GET', '/cancellation-authorisations'],
      ] as const)
        expect([method, rest, readCode(await gateway.call(method, path + rest, { bearer }))]).toEqual([
          method,
          rest,
          '405 SERVICE_INVALID',
        ]);
      expect(gateway.asked.map(({ request }) => [request['service'], request['product']])).toEqual(
        Array.from({ length: 7 }, () => [service, product]),
      );
    },
  );

  it('GET of a periodic order returns the submitted body, its status and its occurrences', async () => {
    const occurrences = [
      { transactionId: 'tx-1', executionDate: '2027-02-01', transactionStatus: 'ACTC', fundsAvailable: true },
      { transactionId: 'tx-2', executionDate: '2027-03-01', transactionStatus: 'ACTC' },
    ];
    gateway.answers.set('svc.payments.read', () => ({
      ok: { body: exampleOrder, transactionStatus: 'ACSP', paymentType: 'DOMESTIC', occurrences },
    }));
    const answer = await gateway.call('GET', `/v1/periodic-payments/domestic/${paymentId}`, {
      bearer: await gateway.token(),
    });
    expect(answer.body).toEqual({
      ...exampleOrder,
      transactionStatus: 'ACSP',
      paymentType: 'DOMESTIC',
      occurrences,
    });
  });

  it('GET of a bulk payment returns the submitted body and the status of each entry', async () => {
    const body = exampleBulk(product);
    const entries = [
      { transactionStatus: 'ACSC', fundsAvailable: true },
      { transactionStatus: 'ACCP', fundsAvailable: false },
    ];
    gateway.answers.set('svc.payments.read', () => ({
      ok: { body, transactionStatus: 'PART', paymentType: 'DOMESTIC', entries },
    }));
    const answer = await gateway.call('GET', `/v1/bulk-payments/${product}/${paymentId}`, {
      bearer: await gateway.token(),
    });
    expect(answer.body).toEqual({
      ...body,
      payments: [body['payments']].flat().map((entry, index) => ({ ...Object(entry), ...entries[index] })),
      transactionStatus: 'PART',
      paymentType: 'DOMESTIC',
    });
  });

  it.each([
    ['periodic-payments', 'domestic-budget-transfer-BGN', 'announced for a later release'],
    ['periodic-payments', 'SEPA-Credit-Transfer', '/payments/SEPA-Credit-Transfer'],
    ['bulk-payments', 'cross-border-credit-transfer', '/payments/cross-border-credit-transfer'],
  ])(
    'POST /%s/%s returns 403 PRODUCT_INVALID after the checks of the token and the role, and before those of the headers and the body',
    async (service, other, text) => {
      const path = `/v1/${service}/${other}`;
      const call = async (claims: object, headers = {}): Promise<Answer> =>
        gateway.call('POST', path, { bearer: await gateway.token({ ...claims }), body: '{', headers });
      expect(readCode(await gateway.call('POST', path))).toBe('401 TOKEN_UNKNOWN');
      expect(readCode(await call({ client_id: 'ai-only' }))).toBe('401 ROLE_INVALID');
      const answer = await call({}, { accept: 'text/html', 'psu-id': '' });
      expect(readCode(answer)).toBe('403 PRODUCT_INVALID');
      expect(answer.text).toContain(text);
      expect(readCode(await gateway.call('POST', `/v1/${service}/none`))).toBe('404 PRODUCT_UNKNOWN');
      expect(readCode(await gateway.call('PUT', path))).toBe('405 SERVICE_INVALID');
      expect(gateway.asked).toEqual([]);
    },
  );
});

describe('the body of a bulk payment over HTTP (contract 3)', () => {
  const sized = (bytes: number): string => bulkBody + ' '.repeat(bytes - Buffer.byteLength(bulkBody));

  it('may have up to 1 MiB, while other bodies may have up to 64 KiB', async () => {
    const readStatus = async (service: string, bytes: number): Promise<string> =>
      readCode(await post(`/v1/${service}/${product}`, sized(bytes)));
    expect(await readStatus('bulk-payments', 1024 * 1024)).toBe('201');
    expect(await readStatus('bulk-payments', 1024 * 1024 + 1)).toBe('413 FORMAT_ERROR');
    expect(await readStatus('payments', 64 * 1024)).toBe('201');
    expect(await readStatus('payments', 64 * 1024 + 1)).toBe('413 FORMAT_ERROR');
    expect(await readStatus('periodic-payments', 64 * 1024 + 1)).toBe('413 FORMAT_ERROR');
  });

  it('is rejected without a service call if escaping its control characters makes it too large', async () => {
    const body = `{"payments":[{"creditorName":"${'\u0007'.repeat(200_000)}"}]}`;
    expect(readCode(await post(`/v1/bulk-payments/${product}`, body))).toBe('413 FORMAT_ERROR');
    expect(gateway.asked).toEqual([]);
  });

  it('has all its errors reported, up to 100', async () => {
    const paths = Array.from({ length: 250 }, (_, index) => `payments[${index}].creditorName`);
    const listed = async (count: number): Promise<unknown> => {
      const failures = paths.slice(0, count).map((path) => ({ failure: 'fieldMissing' as const, path }));
      gateway.answers.set('svc.payments.initiate', refused(...failures));
      const { status, body } = await post(`/v1/bulk-payments/${product}`, bulkBody);
      return [status, body.tppMessages?.map(({ path }) => path)];
    };
    expect(await listed(100)).toEqual([400, paths.slice(0, 100)]);
    expect(await listed(250)).toEqual([400, [...paths.slice(0, 99), undefined]]);
  });
});

describe('the versions of the periodic APIs (spec 9, contract 1)', () => {
  const order = `/v1/periodic-payments/domestic/${paymentId}`;
  const served = async (method: string, path: string, version?: string): Promise<string> => {
    const answer = await gateway.call(method, path, {
      bearer: await gateway.token(),
      headers: version === undefined ? {} : { 'x-api-version': version },
      body: method === 'POST' ? (path.endsWith('/domestic') ? orderBody : '{}') : undefined,
    });
    return `${readCode(answer)} ${answer.headers.get('x-api-version')}`;
  };
  beforeEach(() => {
    gateway.answers.set('svc.payments.read', () => ({
      ok: { body: exampleOrder, transactionStatus: 'RCVD', paymentType: 'DOMESTIC' },
    }));
    const authorisations = [{ authorisationId, scaStatus: 'received' }];
    gateway.answers.set('svc.payments.authorisations.list', () => ({ ok: { authorisations } }));
    gateway.answers.set('svc.payments.authorisations.start', () => ({ ok: { authorisationId } }));
    gateway.answers.set('svc.payments.cancel', () => ({ ok: {} }));
  });

  it('POST belongs to the Periodic domestic API', async () => {
    expect(await served('POST', '/v1/periodic-payments/domestic')).toBe('201 1.3.2');
    expect(await served('POST', `/v1/periodic-payments/${product}`, '1.0.6')).toBe('201 1.0.6');
    expect(await served('POST', '/v1/periodic-payments/domestic', '1.0.0')).toBe(
      '400 PARAMETER_NOT_SUPPORTED null',
    );
  });

  it.each([
    ['GET', order, '200'],
    ['GET', `${order}/status`, '200'],
    ['GET', `${order}/authorisations`, '200'],
    ['GET', `${order}/authorisations/${authorisationId}`, '200'],
    ['DELETE', order, '204'],
  ])('%s %s belongs to the Periodic Payments API', async (method, path, success) => {
    expect(await served(method, path)).toBe(`${success} 1.3.2`);
    expect(await served(method, path, '1.0.0')).toBe(`${success} 1.0.0`);
    expect(await served(method, path, '1.0.6')).toBe('400 PARAMETER_NOT_SUPPORTED null');
  });

  it.each([
    ['POST', `/v1/payments/${product}`, '201'],
    ['POST', `/v1/bulk-payments/${product}`, '201'],
    ['GET', `/v1/payments/${product}/${paymentId}`, '200'],
    ['GET', `/v1/bulk-payments/${product}/${paymentId}/status`, '200'],
    ['POST', `${order}/authorisations`, '201'],
    ['GET', `${order}/cancellation-authorisations`, '200'],
  ])(
    '%s %s has no published version, so the header is ignored and not returned',
    async (method, path, success) => {
      expect(await served(method, path, '7')).toBe(`${success} null`);
    },
  );
});
