import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Reply } from '@xs2a/contracts/call';
import type { CallRow } from '@xs2a/contracts/console.contract';
import { randomUUID } from 'node:crypto';
import {
  authorisationId,
  consentId,
  GatewayUnderTest,
  paymentId,
  product,
  refused,
} from '../testing/gateway-under-test.js';

const gateway = new GatewayUnderTest();
beforeAll(async () => gateway.start(), 30_000);
afterAll(async () => gateway.stop());
beforeEach(() => gateway.reset());

/** Waits for the rows of this many calls, which are made once a call is finished on its connection; sorted by time. */
const rows = async (count: number): Promise<readonly CallRow[]> => {
  for (;;) {
    const found = await gateway.rows();
    if (found.length >= count) return found.toSorted((one, other) => one.at.localeCompare(other.at));
    await new Promise(setImmediate);
  }
};
const row = async (): Promise<CallRow | undefined> => (await rows(1))[0];
const status = `/v1/payments/${product}/${paymentId}/status`;

describe('the row of an answered call (docs/adr/0077)', () => {
  it('has the request, the TPP, the endpoint, the result and the payment', async () => {
    const bearer = await gateway.token();
    const requestId = randomUUID();
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    gateway.clock.raiseTo(gateway.clock.offsetMs + 60_000);
    const before = Date.now();
    const { text } = await gateway.call('GET', status, {
      bearer,
      headers: { 'x-request-id': requestId, traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    });
    const { at, ms, ...others } = (await row()) as CallRow;
    expect(others).toEqual({
      requestId,
      traceId,
      tppId: 'tpp',
      operation: 'readPaymentStatus',
      status: 200,
      bytes: text.length,
      resourceId: paymentId,
    });
    expect(Date.parse(at)).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(at) + ms).toBeLessThanOrEqual(Date.now() + 1);
  });

  it('has the code, the failure and the path of the first violation of a refused call', async () => {
    gateway.answers.set(
      'svc.payments.initiate',
      refused(
        { failure: 'fieldMalformed', path: 'instructedAmount.amount' },
        { failure: 'fieldUnknown', path: 'BG80BNBG96611020345678' },
      ),
    );
    const bearer = await gateway.token();
    await gateway.call('POST', `/v1/payments/${product}`, { bearer, body: '{"instructedAmount":{}}' });
    expect(await row()).toMatchObject({
      status: 400,
      code: 'FORMAT_ERROR',
      failure: 'fieldMalformed',
      path: 'instructedAmount.amount',
      tppId: 'tpp',
    });
  });

  it('has a question mark for a name in the body that is not part of the contract', async () => {
    const bearer = await gateway.token();
    for (const body of ['{"IvanIvanov":1,"IvanIvanov":2}', '{"debtorAccount":{"Ivan":1,"Ivan":2}}'])
      await gateway.call('POST', `/v1/payments/${product}`, { bearer, body });
    const found = (await rows(2)).map(({ code, path }) => [code, path]);
    expect(found).toEqual([
      ['FORMAT_ERROR', '?'],
      ['FORMAT_ERROR', 'debtorAccount.?'],
    ]);
  });

  it('has the TPP of a token that was refused, and none without a token that this bank signed', async () => {
    await gateway.call('GET', status, { bearer: await gateway.token({ client_id: 'barred' }) });
    await gateway.call('GET', status, { bearer: 'made-up' });
    expect((await rows(2)).map(({ tppId, status, code, failure }) => [tppId, status, code, failure])).toEqual(
      [
        ['barred', 401, 'CERTIFICATE_BLOCKED', 'tppBlocked'],
        [undefined, 401, 'TOKEN_UNKNOWN', 'tokenUnknown'],
      ],
    );
  });

  it('has the dependency that did not answer', async () => {
    const failure = { failure: 'dependencyDown', retryAfter: 1, dependency: 'accounts' } as const;
    gateway.answers.set('svc.payments.read-status', refused(failure));
    await gateway.call('GET', status, { bearer: await gateway.token() });
    expect(await row()).toMatchObject({
      status: 503,
      code: 'INTERNAL_SERVER_ERROR',
      failure: 'dependencyDown',
      dependency: 'accounts',
    });
  });

  it('has the payment, consent or basket of the path, of the Location, or else the consent of the token', async () => {
    const [bearer, ais] = [await gateway.token(), await gateway.aisToken()];
    const calls = [
      ['POST', `/v1/payments/${product}`, bearer, '{}'],
      ['GET', `/v1/consents/${consentId.toUpperCase()}/status`, bearer],
      ['GET', `/v1/signing-baskets/${authorisationId}`, bearer],
      ['GET', '/v1/accounts', ais],
      ['GET', '/v1/signing-baskets/BG80BNBG96611020345678', bearer],
      ['PATCH', '/sandbox/accounts/BG80BNBG96611020345678', bearer, '{}'],
    ] as const;
    for (const [method, path, token, body] of calls)
      await gateway.call(method, path, { bearer: token, body });
    expect((await rows(6)).map(({ operation, resourceId }) => [operation, resourceId])).toEqual([
      ['initiatePayment', paymentId],
      ['readConsentStatus', consentId],
      ['readBasket', authorisationId],
      ['listAccounts', consentId],
      ['readBasket', undefined],
      ['changeAccount', undefined],
    ]);
  });

  it('has status 499 if the client disconnected', async () => {
    const reached = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<Reply<unknown>>();
    gateway.answers.set('svc.payments.read-status', () => {
      reached.resolve();
      return answer.promise;
    });
    const head = `GET ${status} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await gateway.token()}\r\n\r\n`;
    await gateway.hangUp(head, async () => reached.promise);
    expect(await row()).toMatchObject({ status: 499, tppId: 'tpp', bytes: 0 });
    answer.resolve({ ok: { transactionStatus: 'RCVD' } });
  });

  it('does not exist for a path that is no endpoint of the API', async () => {
    for (const path of ['/v1/nothing', '/health/live', '/openapi.json', '/v1/%zz', '/oauth2/jwks'])
      await gateway.call('GET', path);
    await gateway.call('GET', status, { bearer: await gateway.token() });
    expect((await rows(1)).map(({ operation }) => operation)).toEqual(['readPaymentStatus']);
  });

  it('has the operation none for a path or method without an endpoint, and exists in a sandbox if the bank issued the token', async () => {
    const bearer = await gateway.token();
    const expired = await gateway.token({}, { expiresIn: -5 });
    await gateway.call('GET', '/v1/nothing', { bearer });
    await gateway.call('PUT', status, { bearer });
    await gateway.call('GET', '/v1/payments/no-such-product/x', { bearer });
    await gateway.call('GET', `/v1/nothing?access_token=${expired}`);
    await gateway.call('GET', '/v1/%zz', { bearer });
    await gateway.call('GET', '/v1/nothing', { bearer: 'made-up' });
    await gateway.call('GET', '/oauth2/%zz', { bearer });
    await gateway.call('GET', status, { bearer });
    const found = await rows(6);
    expect(
      found.map((one) => `${one.operation} ${one.status} ${one.code ?? ''} ${one.tppId ?? ''}`).sort(),
    ).toEqual([
      'none 404 RESOURCE_UNKNOWN tpp',
      'none 404 RESOURCE_UNKNOWN tpp',
      'none 404 RESOURCE_UNKNOWN tpp',
      'none 405 SERVICE_INVALID tpp',
      'readPayment 404 PRODUCT_UNKNOWN tpp',
      'readPaymentStatus 200  tpp',
    ]);
  });
});
