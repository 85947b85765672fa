import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayUnderTest, refused } from './testing/gateway-under-test.js';

const gateway = new GatewayUnderTest();
beforeAll(async () => gateway.start(), 30_000);
afterAll(async () => gateway.stop());

const subject = 'svc.accounts.transactions';
const mine = '01998f71-0000-7000-8000-000000000001';
const other = '01998f71-0000-7000-8000-000000000002';
/** What the accounts service would say now, by account. */
const says = new Map<string, { readonly tag: string; readonly rendered: Uint8Array }>();
const say = (resourceId: string, tag: string): void => {
  says.set(resourceId, { tag, rendered: Buffer.from(`{"booked":[{"transactionId":"${tag}"}]}`) });
};
const answer = ({ resourceId, known }: { resourceId: string; known?: string }) => {
  const page = says.get(resourceId);
  if (page === undefined) return { failures: [{ failure: 'resourceUnknown' as const }] };
  const count = { unattendedRemaining: 2 };
  if (known === page.tag) return { ok: { ...count, unchanged: true } };
  return { ok: { ...count, ...page, iban: `IBAN of ${resourceId}`, currency: 'BGN' } };
};

beforeEach(() => {
  gateway.reset();
  gateway.answers.set(subject, answer);
});

const read = async (resourceId: string, query = '') => {
  const path = `/v1/accounts/${resourceId}/transactions${query}`;
  return gateway.call('GET', path, { bearer: await gateway.aisToken() });
};
const knownTags = (): unknown[] => gateway.asked.map(({ request }) => request['known']);

describe('a page that was sent before (contract 6)', () => {
  it('is sent again byte for byte when the accounts service says that it is unchanged, and counted each time', async () => {
    say(mine, 'a');
    const first = await read(mine);
    const second = await read(mine);
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
    expect(second.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(second.headers.get('x-unattended-remaining')).toBe('2');
    expect(first.text).toContain('"transactionId":"a"');
    expect(knownTags()).toEqual([undefined, 'a']);
  });

  it('is another for another account or another query, and gives way to what was booked since', async () => {
    say(mine, 'b');
    say(other, 'c');
    const all = ['', '?pageSize=10', '?bookingStatus=booked', '?withBalance=true', '?dateTo=2026-01-01'];
    for (const query of all) await read(mine, `${query}${query === '' ? '?' : '&'}dateFrom=2025-12-31`);
    expect(knownTags()).toEqual(all.map(() => undefined));
    expect((await read(other)).text).toContain('"transactionId":"c"');
    say(mine, 'd');
    expect((await read(mine)).text).toContain('"transactionId":"d"');
    expect((await read(mine)).text).toContain('"transactionId":"d"');
    expect((await read(other)).text).toContain('"transactionId":"c"');
  });

  it('is not sent when the consent does not let the call through', async () => {
    say(mine, 'e');
    await read(mine);
    gateway.answers.set(subject, refused({ failure: 'consentInvalid' }));
    expect((await read(mine)).status).toBe(401);
  });

  it('is asked for as a whole when the accounts service gave it no tag', async () => {
    const untagged = { rendered: Buffer.from('{"booked":[]}'), iban: 'x', currency: 'BGN' };
    gateway.answers.set(subject, () => ({ ok: untagged }));
    for (let n = 0; n < 2; n += 1) expect((await read(other, '?pageSize=3')).status).toBe(200);
    expect(knownTags()).toEqual([undefined, undefined]);
  });
});
