// Lane: long, alone (another TPP's POSTs are measured against their deadline).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, parseJson, send } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import { enterCode, look, type Seen, submit } from '../pages/page-visitor.js';
import { runLoad } from '@xs2a/test-support/load';
import {
  bulkPath,
  bulkPayment,
  domesticPath,
  domesticPayment,
  initiate,
  readStatus,
  until,
} from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let token: string;
beforeAll(async () => {
  world = await World.start();
  tpp = world.tpp();
  token = await tpp.applicationToken();
}, 60_000);
afterAll(async () => world.stop());

const bulks = 10;
const entries = 250;
/** The longest text that a payment may contain, in two-byte letters. */
const longName = (bulk: number, entry: number): string => `${bulk}-${entry} `.padEnd(70, 'Щъркел ');
const longText = 'Възнаграждение '.repeat(10).slice(0, 140);
const largeBulk = (iban: string, bulk: number): Record<string, unknown> => {
  const body = bulkPayment(iban, Array<string>(entries).fill('0.01'));
  const payments = body['payments'] as Record<string, unknown>[];
  return {
    ...body,
    payments: payments.map((payment, entry) => ({
      ...payment,
      creditorName: longName(bulk, entry),
      remittanceInformationUnstructured: longText,
    })),
  };
};

/** Sends another TPP's POSTs one at a time until stopped. Returns the statuses other than 201. */
const othersPay = async (stop: AbortSignal): Promise<readonly number[]> => {
  const psu = await world.person();
  const other = world.tpp('sandbox-tpp-2');
  const json = domesticPayment(psu.accounts[0]?.iban ?? '', '1.00');
  const authorization = `Bearer ${await other.applicationToken()}`;
  const failed: number[] = [];
  const pay = async (): Promise<void> => {
    const { status } = await send('POST', `${world.baseUrl}${domesticPath}`, {
      json,
      headers: { authorization },
    });
    if (status !== 201) failed.push(status);
  };
  await runLoad(pay, { stop });
  return failed;
};

/**
 * Creates a basket. On a busy machine, a POST of so many items may have to be retried with the same key (contract
 * 3).
 */
const createBasket = async (paymentIds: readonly string[]): Promise<Answer> => {
  const headers = { 'idempotency-key': randomUUID() };
  const post = async (): Promise<Answer> =>
    tpp.call('POST', '/v1/signing-baskets', token, { json: { paymentIds }, headers });
  return until(post, ({ status }) => status === 201);
};

const readSum = ({ text }: Seen): string =>
  /class="amount">([^]*?)<\/dd>/.exec(text)?.[1]?.replaceAll(/<[^>]+>|\s/g, '') ?? '';
const readNames = ({ text }: Seen): string[] =>
  [...text.matchAll(/<strong>(\d+-\d+) Щъркел/g)].flatMap(([, name]) => name ?? []);

describe('a basket of ten bulk payments with 250 long entries each (contract 10)', () => {
  it('is created, opened, reviewed to its last entry and signed, while no request of another TPP is refused', async () => {
    const psu = await world.person('1000.00');
    const paymentIds: string[] = [];
    for (let bulk = 0; bulk < bulks; bulk += 1) {
      const body = largeBulk(psu.accounts[0]?.iban ?? '', bulk);
      paymentIds.push((await initiate(tpp, token, body, {}, bulkPath)).paymentId);
    }
    const created = await createBasket(paymentIds);
    const { basketId, _links } = parseJson<{ basketId: string; _links: Record<string, { href: string }> }>(
      created,
    );
    const url = _links['scaRedirect']?.href ?? '';
    const over = new AbortController();
    const others = othersPay(over.signal);

    const first = await look(url);
    expect([first.status, first.step]).toEqual([200, 'sign-in']);
    const { psuId, password } = psu;
    const form = { csrf: first.csrf, step: 'sign-in', psuId, password, decision: 'approve' };
    const { cookie } = await submit(url, first.cookie, form);
    const review = await look(url, cookie);
    expect([review.step, readSum(review), readNames(review).length]).toEqual(['review', 'BGN25.00', entries]);
    const links = [...review.text.matchAll(/href="([^"]*\?page=\d+)[^"]*"/g)].map(([, href]) => href ?? '');
    expect(new Set(links).size).toBe(bulks - 1);
    const pages = [review];
    for (const href of new Set(links)) pages.push(await look(new URL(href, url).href, cookie));
    expect(pages.flatMap(readNames)).toEqual(
      Array.from({ length: bulks * entries }, (_, at) => `${Math.floor(at / entries)}-${at % entries}`),
    );
    expect(new Set(pages.map(readSum))).toEqual(new Set(['BGN25.00']));

    const last = pages.at(-1) ?? review;
    await submit(url, cookie, { csrf: last.csrf, step: 'review', decision: 'approve' });
    const code = await look(url, cookie);
    expect([code.step, readSum(code)]).toEqual(['code', 'BGN25.00']);
    expect(readNames(await look(`${url}?page=10`, cookie))[0]).toBe('9-0');
    expect((await enterCode(url, code, '123456')).status).toBe(303);
    expect((await look(url, cookie)).text).toContain('You approved the payments');
    expect(await readStatus(tpp, token, `/v1/signing-baskets/${basketId}`)).toMatchObject({
      transactionStatus: 'ACTC',
    });
    over.abort();
    expect(await others).toEqual([]);
  }, 120_000);
});

describe('a bulk payment with the longest texts in four-byte characters', () => {
  it('is opened and reviewed to its last entry', async () => {
    const psu = await world.person('1000.00');
    const body = largeBulk(psu.accounts[0]?.iban ?? '', 0);
    const payments = (body['payments'] as Record<string, unknown>[]).map((payment) => ({
      ...payment,
      creditorName: '𐐀'.repeat(70),
      remittanceInformationUnstructured: '𐐀'.repeat(140),
    }));
    const { scaRedirect: url } = await initiate(tpp, token, { ...body, payments }, {}, bulkPath);
    const first = await look(url);
    const { psuId, password } = psu;
    const form = { csrf: first.csrf, step: 'sign-in', psuId, password, decision: 'approve' };
    const { cookie } = await submit(url, first.cookie, form);
    const review = await look(url, cookie);
    expect([review.step, review.text.match(/<strong>𐐀{70}<\/strong>/gu)?.length]).toEqual([
      'review',
      entries,
    ]);
  }, 60_000);
});
