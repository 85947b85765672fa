import { describe, expect, it } from '@jest/globals';
import { evaluate } from './evaluate.js';
import type { Finding } from './finding.js';
import type { Call, OwnLog } from './own-log.js';
import { examples } from './testing/examples.js';
import { call, logOf, notification, pay, readAfter, type Sent, someId, status } from './testing/logs.js';

const entries = Object.entries(examples);
const failing = entries.flatMap(([id, { failed }]) =>
  failed === undefined ? [] : ([[id, failed]] as const),
);
const findingOf = (id: string, log: OwnLog): Finding => {
  const found = evaluate(log).find(({ situation }) => situation.id === id);
  if (found === undefined) throw new Error(`no situation ${id}`);
  return found.finding;
};
const without = (log: OwnLog, { requestIds, notificationIds }: Finding): OwnLog => ({
  ...log,
  calls: log.calls.filter(({ requestId }) => !requestIds.includes(requestId)),
  notifications: log.notifications.filter(({ notificationId }) => !notificationIds.includes(notificationId)),
});

describe('the evaluation of a TPP’s log by Certify', () => {
  it('knows forty situations, and each has an example', () => {
    const ids = evaluate(logOf({})).map(({ situation }) => situation.id);
    expect(new Set(ids).size).toBe(40);
    expect(ids.toSorted()).toEqual(Object.keys(examples).toSorted());
  });

  it('leaves every situation open without calls and notifications', () => {
    expect(evaluate(logOf({})).filter(({ finding }) => finding.result !== 'open')).toEqual([]);
  });

  it('leaves the situation order-stopped open if the workspace, and not the customer, cancelled the order', () => {
    const read = status('CANC', { service: 'periodic-payments' });
    const url = (read.request?.url ?? '').replace('/status', '');
    const ofWorkspace = [call({ operation: 'cancelPayment', status: 204, url })];
    expect(findingOf('order-stopped', logOf({ calls: [read] })).result).toBe('shown');
    expect(findingOf('order-stopped', logOf({ calls: [read], ofWorkspace })).result).toBe('open');
  });

  it.each(entries)('shows %s, with evidence', (id, { shown }) => {
    const finding = findingOf(id, shown);
    expect(finding.result).toBe('shown');
    expect(finding.requestIds.length + finding.notificationIds.length).toBeGreaterThan(0);
  });

  it.each(failing)('finds that %s fails, with evidence and what was seen', (id, failed) => {
    const finding = findingOf(id, failed);
    expect(finding.result).toBe('failed');
    expect(finding.seen).toMatch(/\.$/);
    expect(finding.requestIds.length + finding.notificationIds.length).toBeGreaterThan(0);
  });

  it.each(entries)('does not show %s by a log without its evidence', (id, { shown }) => {
    expect(findingOf(id, without(shown, findingOf(id, shown))).result).not.toBe('shown');
  });

  it('finds the same in any order of the log', () => {
    for (const [id, { shown, failed = shown }] of entries)
      for (const log of [shown, failed])
        expect(findingOf(id, { ...log, calls: log.calls.toReversed() })).toEqual(findingOf(id, log));
  });

  it.each(['unavailable', 'read-unavailable', 'token-expired', 'expired', 'cancelled-late'])(
    'leaves %s open while the application still has time',
    (id) => {
      const log = examples[id]?.failed ?? logOf({});
      expect(findingOf(id, readAfter(log, 30)).result).toBe('open');
    },
  );

  it('does not count a page that the bank refused as the last one', () => {
    const { calls } = examples['next-page']?.shown ?? logOf({});
    const refused = calls.map((one, index) => (index === 1 ? { ...one, status: 429 } : one));
    expect(findingOf('next-page', logOf({ calls: refused })).result).toBe('open');
    expect(findingOf('next-page', logOf({ calls: [...refused, ...calls.slice(1)] })).result).toBe('shown');
  });

  it('counts the newest evidence after a repetition', () => {
    const wrong = [pay({ status: 503 }), pay({ key: 'other', at: 1 })];
    const right = [pay({ status: 503, key: 'b', at: 100 }), pay({ key: 'b', at: 101 })];
    const body = { amount: 2 };
    const repeated = right.map((one) => ({
      ...one,
      request: one.request && { ...one.request, body: JSON.stringify(body) },
    }));
    expect(findingOf('unavailable', logOf({ calls: wrong })).result).toBe('failed');
    expect(findingOf('unavailable', logOf({ calls: [...wrong, ...repeated] })).result).toBe('shown');
  });

  it('leaves the situation own-key open after two answered payments with the same content and different keys', () => {
    const paid = [pay({ key: 'first' }), pay({ key: 'second', at: 1 })];
    expect(findingOf('own-key', logOf({ calls: paid })).result).toBe('open');
  });

  describe('for two answered payments with the same content and the same endToEndIdentification', () => {
    const made = (key: string, at: number, endToEndIdentification = 'INVOICE-7'): Call =>
      pay({ key, at, body: { endToEndIdentification } });
    const resultOf = (...calls: readonly Call[]): string => findingOf('own-key', logOf({ calls })).result;

    it('finds that own-key fails if their keys differ', () => {
      expect(resultOf(made('first', 0), made('second', 1))).toBe('failed');
    });

    it('leaves own-key open if they have the same key, are more than a minute apart, or have no reference of the TPP', () => {
      expect(resultOf(made('first', 0), made('first', 1))).toBe('open');
      expect(resultOf(made('first', 0), made('second', 61))).toBe('open');
      expect(resultOf(made('first', 0, 'NOTPROVIDED'), made('second', 1, 'NOTPROVIDED'))).toBe('open');
    });
  });

  it('measures the wait before a repetition by the clock of the sandbox, which may have been moved', () => {
    const answered = (status: number, at: number, clock: string): Call =>
      call({
        operation: 'readPaymentStatus',
        status,
        at,
        answerHeaders: { 'x-sandbox-clock': clock, ...(status === 429 ? { 'retry-after': '30' } : {}) },
      });
    const refused = answered(429, 0, '2026-12-01T10:00:00.000Z');
    const resultOf = (clock: string): string =>
      findingOf('too-many-requests', logOf({ calls: [refused, answered(200, 1, clock)] })).result;
    expect(resultOf('2026-12-01T10:00:45.000Z')).toBe('shown');
    expect(resultOf('2026-12-01T10:00:01.000Z')).toBe('failed');
  });

  it('does not call another payment a repetition if the log lacks the body of the one that got 503', () => {
    const unread = {
      ...pay({ status: 503 }),
      request: { method: 'POST', url: pay({}).request?.url ?? '', headers: {} },
    };
    expect(findingOf('unavailable', logOf({ calls: [unread, pay({ key: 'next', at: 1 })] })).seen).toMatch(
      /^It was not sent again with the same key/,
    );
  });

  it('does not show that an application handles a refusal before the bank has visited its Nok address', () => {
    const { calls, ...rest } = examples['refused']?.shown ?? logOf({});
    const unopened = calls.filter(({ operation }) => operation !== 'visit');
    expect(findingOf('refused', { ...rest, calls: unopened }).result).toBe('open');
  });

  it.each([503, 429])(
    'finds that own-key fails if a payment that was answered with %i is sent again with another key',
    (status) => {
      const repeated = [pay({ status, key: 'first' }), pay({ key: 'second', at: 1 })];
      expect(findingOf('own-key', logOf({ calls: repeated })).result).toBe('failed');
    },
  );

  it('reports own-key as shown after a repetition with the same key, although the same payment is made again later', () => {
    const repeated = [pay({ status: 499 }), pay({ at: 1 }), pay({ key: 'next', at: 2 })];
    expect(findingOf('own-key', logOf({ calls: repeated })).result).toBe('shown');
  });

  it('leaves own-key open after another key if the log has no body of the payment that was answered with 503', () => {
    const refused = call({ operation: 'initiatePayment', status: 503, url: pay({}).request?.url ?? '' });
    expect(findingOf('own-key', logOf({ calls: [refused, pay({ at: 1 })] })).result).toBe('open');
  });

  it('finds that own-key fails if a payment is made without a key', () => {
    expect(findingOf('own-key', logOf({ calls: [pay({ key: null })] })).result).toBe('failed');
  });

  describe('for the situation refused-body', () => {
    const refusedFor = (path: string, headers: Readonly<Record<string, string>>, at = 0): Call =>
      pay({ status: 400, answer: { tppMessages: [{ path }] }, headers, at });
    const resultOf = (...calls: readonly Call[]): string =>
      findingOf('refused-body', logOf({ calls })).result;
    const wrong = { 'psu-ip-address': 'x' };
    const right = { 'psu-ip-address': '192.0.2.1' };

    it('reports a corrected header with the same body as shown', () => {
      expect(resultOf(refusedFor('PSU-IP-Address', wrong), pay({ headers: right, at: 1 }))).toBe('shown');
    });

    it('accepts a second refusal if another header was corrected, or the value of the refused header is hidden', () => {
      const other = refusedFor('PSU-ID', right, 1);
      expect(resultOf(refusedFor('PSU-IP-Address', wrong), other)).toBe('open');
      const secret = { 'tpp-notification-uri': '(hidden)' };
      expect(resultOf(...[0, 1].map((at) => refusedFor('TPP-Notification-URI', secret, at)))).toBe('open');
    });

    it('finds a failure if a call with the same body and headers, but another key, is refused again', () => {
      const again = refusedFor('PSU-IP-Address', { ...wrong, 'idempotency-key': 'other' }, 1);
      expect(resultOf(refusedFor('PSU-IP-Address', wrong), again)).toBe('failed');
    });

    it('finds a failure if only a header differs although the bank refused a field of the body', () => {
      expect(resultOf(refusedFor('amount', wrong), refusedFor('amount', right, 1))).toBe('failed');
    });
  });

  it('ignores a forgery when it looks for accepted and repeated notifications', () => {
    const log = logOf({ notifications: [notification(['forged HTTP 204', 'forged HTTP 204'])] });
    expect(findingOf('push-accepted', log).result).toBe('open');
    expect(findingOf('push-repeated', log).result).toBe('open');
  });

  it('reports the situation paced as shown only after reads of a status that span a minute', () => {
    const reads = [0, 1, 2].map((at) => status('RCVD', { at }));
    expect(findingOf('paced', logOf({ calls: reads })).result).toBe('open');
    const signed = status('ACCP', { at: 60 });
    expect(findingOf('paced', logOf({ calls: [...reads, signed] })).result).toBe('shown');
  });

  it('includes reads of an unknown consent, which return 403, in the situation unknown-resource', () => {
    const code = 'CONSENT_UNKNOWN';
    const read = { operation: 'readConsent', url: `/v1/consents/${someId}`, status: 403, code };
    expect(findingOf('unknown-resource', logOf({ calls: [call(read)] })).result).toBe('shown');
    const repeated = [0, 1, 2, 3].map((at) => call({ ...read, at }));
    expect(findingOf('unknown-resource', logOf({ calls: repeated })).result).toBe('failed');
  });

  it('leaves the situation unknown-resource open after a read of a wrong path or of an unknown account', () => {
    const code = 'RESOURCE_UNKNOWN';
    const wrongPath = {
      ...call({ operation: 'none', status: 404, code, url: '/v1/paymentz' }),
      request: { method: 'GET', url: '/v1/paymentz', headers: {} },
    };
    const wrongAccount = call({ operation: 'readAccount', status: 404, code, url: `/v1/accounts/${someId}` });
    expect(findingOf('unknown-resource', logOf({ calls: [wrongPath, wrongAccount] })).result).toBe('open');
  });

  describe('for the situation access-used-up', () => {
    const read = (at: number, sent: Partial<Sent> = {}): Call =>
      call({ operation: 'listAccounts', url: '/v1/accounts', at, ...sent });
    const used = (at: number, consentId: string): Call =>
      read(at, {
        status: 429,
        headers: { 'consent-id': consentId },
        answerHeaders: { 'retry-after': '3600' },
      });
    const resultOf = (...calls: readonly Call[]): string =>
      findingOf('access-used-up', logOf({ calls })).result;

    it('accepts a read with the consent of another customer, and one that was refused for its token', () => {
      expect(resultOf(used(0, 'a'), read(1, { headers: { 'consent-id': 'b' } }))).toBe('shown');
      expect(resultOf(used(0, 'a'), read(1, { status: 401, headers: { 'consent-id': 'a' } }))).toBe('shown');
      expect(resultOf(used(0, 'a'), read(1, { headers: { 'consent-id': 'a' } }))).toBe('failed');
    });

    it('evaluates the newest refusal, even if it was of another consent than an earlier one', () => {
      const wrong = [used(0, 'a'), used(5, 'a')];
      expect(resultOf(...wrong)).toBe('failed');
      expect(resultOf(...wrong, used(10, 'b'))).toBe('shown');
    });
  });

  it('leaves the situation settled open after a status read whose answer the log does not contain', () => {
    const { response: _response, ...bare } = call({ operation: 'readPaymentStatus' });
    expect(findingOf('settled', logOf({ calls: [bare] })).result).toBe('open');
    expect(findingOf('settled', logOf({ calls: [bare, status('ACSC', { at: 1 })] })).result).toBe('shown');
  });
});
