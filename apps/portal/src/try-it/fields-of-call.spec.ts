import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { openApiDocument } from '@xs2a/gateway/openapi/document';
import { fieldsOfCall } from './fields-of-call.js';
import { type TryForm, tryFormOf } from './inputs.js';

const baseUrl = 'http://127.0.0.1:8080';
const document = openApiDocument({
  baseUrl,
  pagesUrl: baseUrl,
  sandbox: true,
  profile: makeProfile('sandbox'),
});
const formOf = (operation: string): TryForm => {
  const form = tryFormOf(document, operation);
  if (form === undefined) throw new Error(`no form of ${operation}`);
  return form;
};
const payment = {
  method: 'POST',
  url: '/v1/payments/domestic-credit-transfer-BGN',
  headers: {
    authorization: '(hidden)',
    'idempotency-key': 'order-1',
    'psu-ip-address': '192.0.2.7',
    'psu-id': '(hidden)',
    'user-agent': 'node',
  },
  body: '{"a":1}',
};
const fields = (operation: string, request: Parameters<typeof fieldsOfCall>[1], hasSameKey = false) =>
  Object.fromEntries(fieldsOfCall(formOf(operation), request, hasSameKey));

describe('the form that repeats a stored call', () => {
  it('has an empty body, and not that of an example, if the bank answered before it read the body', () => {
    const { body: _body, ...unread } = payment;
    const headers = { ...unread.headers, 'content-type': 'application/json' };
    expect(fields('initiatePayment', { ...unread, headers }, true)['body']).toBe('');
    const cancelled = { method: 'DELETE', url: '/v1/payments/p/x', headers: {} };
    expect(fields('cancelPayment', cancelled)['body']).toBeUndefined();
  });

  it('has its path, headers and body, and neither a token nor what was hidden', () => {
    const repeated = fields('initiatePayment', payment);
    expect(repeated).toMatchObject({
      'path.payment-product': 'domestic-credit-transfer-BGN',
      'header.PSU-IP-Address': '192.0.2.7',
      body: '{"a":1}',
    });
    expect(Object.values(repeated)).not.toContain('(hidden)');
    expect(repeated['header.PSU-ID']).toBe('');
  });

  it('does not have the person of the example', () => {
    const consent = { method: 'POST', url: '/v1/consents', headers: { 'psu-id': '(hidden)' }, body: '{}' };
    expect(fields('createConsent', consent)['header.PSU-ID']).toBe('');
  });

  it('leaves the Idempotency-Key to the form, unless the same is asked for', () => {
    expect(fields('initiatePayment', payment)).not.toHaveProperty(['header.Idempotency-Key']);
    expect(fields('initiatePayment', payment, true)['header.Idempotency-Key']).toBe('order-1');
  });

  it('has no header that the call did not have', () => {
    const repeated = fields('initiatePayment', { ...payment, headers: {} });
    expect(repeated['header.Idempotency-Key']).toBe('');
    expect(repeated['header.PSU-IP-Address']).toBe('');
  });

  it('has the query, and what a client wrote into the path', () => {
    const url = '/v1/accounts/a%2Fb/transactions?bookingStatus=booked&dateFrom=2026-01-01';
    const repeated = fields('listTransactions', { method: 'GET', url, headers: {} });
    expect(repeated).toMatchObject({
      'query.bookingStatus': 'booked',
      'query.dateFrom': '2026-01-01',
    });
    expect(Object.values(repeated)).toContain('a/b');
    const malformed = fields('readConsent', { method: 'GET', url: '/v1/consents/%zz', headers: {} });
    expect(Object.values(malformed)).toContain('%zz');
  });
});
