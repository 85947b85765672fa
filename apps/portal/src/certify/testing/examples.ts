import type { OwnPayment } from '../../own-things/own-things.js';
import type { Call, OwnLog } from '../own-log.js';
import { call, logOf, notification, pay, someId, status, visit } from './logs.js';

/** Logs in which an application survives a situation, and in which it does not. */
export interface Example {
  readonly shown: OwnLog;
  readonly failed?: OwnLog;
}
const calls = (...some: readonly Call[]): OwnLog => logOf({ calls: some });

const callback = 'https://tpp.example/callback?state=(hidden)&certify=';
const nok = 'https://tpp.example/nok';
const account = `/v1/accounts/${someId}`;
const later = { at: 120 };
const consent = (consentStatus: string): Call =>
  call({ operation: 'readConsentStatus', url: `/v1/consents/${someId}/status`, answer: { consentStatus } });
const reads = (code: string, count: number): readonly Call[] =>
  Array.from({ length: count }, (_, at) =>
    call({ operation: 'readAccount', url: account, status: 401, code, at }),
  );
const refusedPayment: OwnPayment = {
  paymentId: someId,
  paymentService: 'payments',
  paymentProduct: 'domestic-credit-transfers-bgn',
  transactionStatus: 'RJCT',
  amount: { amount: '1.00', currency: 'BGN' },
  createdAt: '2026-11-20T09:00:00.000Z',
  _links: { self: { href: '' } },
};
const refused = (...some: readonly Call[]): OwnLog => logOf({ calls: some, payments: [refusedPayment] });
const pushed = (...answers: readonly string[]): OwnLog => logOf({ notifications: [notification(answers)] });
const tooMany = (seconds: string): Call =>
  status('', { status: 429, code: 'ACCESS_EXCEEDED', answerHeaders: { 'retry-after': seconds } });
const usedUp = (at: number): Call =>
  call({ operation: 'readAccount', url: account, status: 429, at, answerHeaders: { 'retry-after': '3600' } });
const page = (at: number, url: string, next?: string): Call =>
  call({
    operation: 'listTransactions',
    at,
    url,
    answer: { transactions: { _links: next === undefined ? {} : { next: { href: next } } } },
  });
const identified = (requestIdOf: (at: number) => string): readonly Call[] =>
  Array.from({ length: 10 }, (_, at) =>
    status('RCVD', {
      at,
      url: `/v1/payments/x/${at}/status`,
      headers: { 'x-request-id': requestIdOf(at) },
      requestId: requestIdOf(at),
    }),
  );
const several = (count: number, seconds: number): readonly Call[] =>
  Array.from({ length: count }, (_, index) => status('RCVD', { at: index * seconds }));
const expiry = call({ operation: 'expirePayment', status: 204, url: `/sandbox/payments/${someId}/expire` });
const cancelLate = call({ operation: 'cancelPayment', status: 409, url: `/v1/payments/x/${someId}` });
const unavailable = pay({ status: 503, answer: {} });
const lost = pay({ status: 499 });

/** One for each situation. A situation without `failed` can only be open or shown. */
export const examples: Readonly<Record<string, Example>> = {
  'own-key': { shown: calls(lost, pay({ at: 2 })), failed: calls(lost, pay({ key: 'other', at: 2 })) },
  unavailable: { shown: calls(unavailable, pay({ at: 2 })), failed: calls(unavailable) },
  'lost-answer': { shown: calls(lost, pay({ at: 2 })), failed: calls(lost, pay({ key: 'other', at: 2 })) },
  'read-unavailable': {
    shown: calls(status('', { status: 503 }), status('RCVD', { at: 2 })),
    failed: calls(status('', { status: 503 })),
  },
  'too-many-requests': {
    shown: calls(tooMany('2'), status('RCVD', { at: 3 })),
    failed: calls(tooMany('2'), status('RCVD', { at: 1 })),
  },
  'refused-body': {
    shown: calls(pay({ status: 400 }), pay({ body: { amount: 2 }, at: 1 })),
    failed: calls(pay({ status: 400 }), pay({ status: 400, at: 1 })),
  },
  'unknown-resource': {
    shown: calls(status('', { status: 404 })),
    failed: calls(...Array.from({ length: 4 }, (_, at) => status('', { status: 404, at }))),
  },
  'next-page': { shown: calls(page(0, '/v1/a', '/v1/a?cursor=2'), page(1, '/v1/a?cursor=2')) },
  'access-used-up': { shown: calls(usedUp(0)), failed: calls(usedUp(0), usedUp(5)) },
  'request-ids': {
    shown: calls(...identified((at) => `id-${at}`)),
    failed: calls(...identified(() => 'id')),
  },
  'ip-address': { shown: calls(pay({ headers: { 'psu-ip-address': '192.0.2.1' } })) },
  'token-in-url': {
    shown: calls(...several(5, 10)),
    failed: calls(status('', { status: 401, url: '/v1/accounts?access_token=(hidden)' })),
  },
  'token-expired': {
    shown: calls(status('', { status: 401, code: 'TOKEN_EXPIRED' }), status('RCVD', { at: 1 })),
    failed: calls(status('', { status: 401, code: 'TOKEN_EXPIRED' })),
  },
  'foreign-code': {
    shown: calls(visit(`${callback}foreign-code`, 400)),
    failed: calls(visit(`${callback}foreign-code`, 200)),
  },
  'redirect-error': {
    shown: calls(visit(`${callback}error`, 200)),
    failed: calls(visit(`${callback}error`, 500)),
  },
  refused: {
    shown: refused(
      pay({ headers: { 'tpp-nok-redirect-uri': nok } }),
      visit(nok, 200, 1),
      status('RJCT', later),
    ),
    failed: refused(
      pay({ headers: { 'tpp-nok-redirect-uri': nok } }),
      visit(nok, 404, 1),
      status('RJCT', later),
    ),
  },
  expired: { shown: calls(expiry, status('RJCT', { at: 1 })), failed: calls(expiry) },
  settled: { shown: calls(status('ACSC')) },
  'followed-to-end': { shown: calls(status('ACSP'), status('ACSC', later)) },
  paced: { shown: calls(...several(3, 30)), failed: calls(...several(30, 0.5)) },
  unfunded: { shown: calls(status('', { answer: { transactionStatus: 'ACCP', fundsAvailable: false } })) },
  'partly-signed': { shown: calls(status('PATC')) },
  'future-date': { shown: calls(pay({ body: { requestedExecutionDate: '2026-12-01' } })) },
  cancelled: { shown: calls(call({ operation: 'cancelPayment', status: 204 })) },
  'cancelled-late': { shown: calls(cancelLate, status('ACSC', { at: 1 })), failed: calls(cancelLate) },
  order: { shown: calls(pay({ url: '/v1/periodic-payments/domestic-credit-transfers-bgn' })) },
  'order-stopped': { shown: calls(status('CANC', { service: 'periodic-payments' })) },
  'bulk-partly': { shown: calls(status('PART', { service: 'bulk-payments' })) },
  basket: { shown: calls(call({ operation: 'readBasketStatus' })) },
  'consent-valid': { shown: calls(consent('valid')) },
  'consent-rejected': { shown: calls(consent('rejected')) },
  'consent-revoked': { shown: calls(consent('revokedByPsu')) },
  'consent-ended': {
    shown: calls(...reads('CONSENT_EXPIRED', 1), call({ operation: 'createConsent', status: 201, at: 5 })),
    failed: calls(...reads('CONSENT_EXPIRED', 4)),
  },
  'consent-terminated': { shown: calls(call({ operation: 'deleteConsent', status: 204 })) },
  unattended: { shown: calls(call({ operation: 'readAccount', url: account })) },
  'push-accepted': {
    shown: pushed('HTTP 204'),
    failed: logOf({ notifications: [notification(['HTTP 401'], { state: 'deadLetter' })] }),
  },
  'push-forged': { shown: pushed('HTTP 204', 'forged HTTP 401'), failed: pushed('forged HTTP 204') },
  'push-repeated': { shown: pushed('HTTP 204', 'HTTP 204'), failed: pushed('HTTP 204', 'HTTP 500') },
  'push-recovered': { shown: pushed('HTTP 500', 'HTTP 204') },
  'push-read': {
    shown: logOf({ notifications: [notification(['HTTP 204'])], calls: [status('ACSC', { at: 2 })] }),
  },
};
