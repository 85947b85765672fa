import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { consentId, GatewayUnderTest, refused } from './testing/gateway-under-test.js';

const gateway = new GatewayUnderTest();
beforeAll(async () => gateway.start(), 30_000);
afterAll(async () => gateway.stop());

const mine = '01998f71-0000-7000-8000-000000000001';
const other = '01998f71-0000-7000-8000-000000000002';
/** The accounts' versions now; an account's page names the one it is of. */
const versions = new Map<string, string>();
/** Whether the accounts service says of which version a page is. */
let tellsVersion = true;
const page = ({ resourceId }: { resourceId: string }) => {
  const version = versions.get(resourceId);
  if (version === undefined) return { failures: [{ failure: 'resourceUnknown' as const }] };
  const rendered = Buffer.from(`{"booked":[{"transactionId":"${version}"}]}`);
  const named = tellsVersion ? { version } : {};
  return { ok: { unattendedRemaining: 3, ...named, rendered, iban: `of ${resourceId}`, currency: 'BGN' } };
};
/**
 * The answer of accounts when asked about a page that the gateway has: it may be sent again while the account has the
 * same version.
 */
let verdict: unknown = { ok: { unattendedRemaining: 2 } };
const judge = ({ calls }: { calls: readonly { resourceId: string; version: string }[] }) => ({
  ok: {
    outcomes: calls.map(({ resourceId, version }) =>
      versions.get(resourceId) === version ? verdict : { changed: true },
    ),
  },
});
const keptSubject = 'svc.accounts.kept-pages';

beforeEach(() => {
  gateway.reset();
  tellsVersion = true;
  gateway.answers.set('svc.accounts.transactions', page);
  gateway.answers.set(keptSubject, judge);
  verdict = { ok: { unattendedRemaining: 2 } };
});

const read = async (resourceId: string, query = '', headers: Record<string, string> = {}) => {
  const path = `/v1/accounts/${resourceId}/transactions${query}`;
  return gateway.call('GET', path, { bearer: await gateway.aisToken(), headers });
};
/** Takes the subjects of the calls since this was last called. */
const asked = (): string[] => gateway.asked.splice(0).map(({ subject }) => subject.slice('svc.'.length));
const whole = ['accounts.transactions'];
const sentAgain = ['accounts.kept-pages'];
const changed = ['accounts.kept-pages', 'accounts.transactions'];

describe('a page that was sent before (contract 6)', () => {
  it('is sent again byte for byte while its account stands as it did, let through and counted each time', async () => {
    versions.set(mine, 'a');
    const first = await read(mine);
    expect(first.headers.get('x-unattended-remaining')).toBe('3');
    expect(asked()).toEqual(whole);
    const second = await read(mine);
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
    expect(second.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(second.headers.get('x-unattended-remaining')).toBe('2');
    expect(first.text).toContain('"transactionId":"a"');
    expect(asked()).toEqual(sentAgain);
  });

  it('is asked about with all that decides: who calls, the PSU, the account, the report', async () => {
    versions.set(mine, 'r');
    const told = async (query: string, headers?: Record<string, string>): Promise<unknown> => {
      for (let n = 0; n < 2; n += 1) await read(mine, query, headers);
      return gateway.asked.splice(0).find(({ subject }) => subject === keptSubject)?.request['calls'];
    };
    const kept = { tppId: 'tpp', consentId, tokenIsFresh: false, resourceId: mine, version: 'r' };
    const dated = { ...kept, dateTo: '2999-12-31' };
    expect(await told('?dateTo=2999-12-31')).toEqual([{ ...dated, bookingStatus: 'both' }]);
    const present = await told('?dateTo=2999-12-31&pageSize=8', { 'psu-ip-address': '192.0.2.1' });
    expect(present).toEqual([{ ...dated, bookingStatus: 'both', psuIpAddress: '192.0.2.1' }]);
    const further = await told('?dateTo=2999-12-31&bookingStatus=booked&cursor=c');
    expect(further).toEqual([{ ...dated, bookingStatus: 'booked', cursor: 'c' }]);
  });

  it('is asked about together with others, and each call gets its own answer', async () => {
    versions.set(mine, 's');
    versions.set(other, 't');
    const both = [mine, other, mine, other, mine];
    for (const one of [mine, other]) await read(one);
    versions.set(other, 'u');
    asked();
    const answers = await Promise.all(both.map(async (one) => read(one)));
    const said = answers.map(({ status, text }) => `${status} ${/"transactionId":"(.)"/.exec(text)?.[1]}`);
    expect(said).toEqual(both.map((one) => (one === mine ? '200 s' : '200 u')));
  });

  it('is asked about with the ids of all requests that share the message', async () => {
    versions.set(mine, 'x');
    await read(mine);
    gateway.reset();
    gateway.answers.set(keptSubject, judge);
    const ids = Array.from({ length: 12 }, () => randomUUID());
    const answers = await Promise.all(ids.map(async (id) => read(mine, '', { 'x-request-id': id })));
    expect(answers.map(({ headers }) => headers.get('x-request-id'))).toEqual(ids);
    expect(new Set(asked())).toEqual(new Set(sentAgain));
    const told = gateway.contexts.flatMap((context) =>
      context === undefined ? [] : [[context.requestId, ...(context.sharedWith ?? [])]],
    );
    expect(told.flat().sort()).toEqual(ids.toSorted());
    expect(told.length).toBeLessThan(ids.length);
    expect(gateway.contexts.map((context) => context?.actor)).toEqual(told.map(() => 'tpp'));
  });

  it('is another for another account or another query, and gives way to what was booked since', async () => {
    versions.set(mine, 'b');
    versions.set(other, 'c');
    const all = ['', '?pageSize=10', '?bookingStatus=booked', '?withBalance=true', '?cursor=c'];
    const day = '?dateTo=2999-01-01';
    for (const query of all) await read(mine, `${day}${query.replace('?', '&')}`);
    expect(asked()).toEqual(all.flatMap(() => whole));
    expect((await read(other, day)).text).toContain('"transactionId":"c"');
    expect(asked()).toEqual(whole);
    versions.set(mine, 'd');
    expect((await read(mine)).text).toContain('"transactionId":"d"');
    expect(asked()).toEqual(changed);
    expect((await read(mine)).text).toContain('"transactionId":"d"');
    expect((await read(other, day)).text).toContain('"transactionId":"c"');
    expect(asked()).toEqual([...sentAgain, ...sentAgain]);
  });

  it('is not sent when the consent does not let the call through, and refused as the consent refuses it', async () => {
    versions.set(mine, 'e');
    const first = await read(mine);
    expect(first.status).toBe(200);
    verdict = { failures: [{ failure: 'accessExceeded', retryAfter: 7 }] };
    const refusal = await read(mine);
    expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([429, '7']);
    verdict = { failures: [{ failure: 'consentInvalid' }] };
    expect((await read(mine)).status).toBe(401);
  });

  it('is not sent when nobody can say whether it may be', async () => {
    versions.set(mine, 'f');
    await read(mine);
    gateway.answers.set(keptSubject, refused({ failure: 'dependencyDown', retryAfter: 1 }));
    asked();
    expect((await read(mine)).status).toBe(503);
    expect(asked()).toEqual(sentAgain);
  });

  it('is not kept when the accounts service does not say of which version it is, nor where balances may stand beside it', async () => {
    versions.set(other, 'g');
    for (let n = 0; n < 2; n += 1) await read(other, '?withBalance=true');
    tellsVersion = false;
    for (let n = 0; n < 2; n += 1) await read(other, '?pageSize=3');
    expect(asked()).toEqual([...whole, ...whole, ...whole, ...whole]);
  });
});
