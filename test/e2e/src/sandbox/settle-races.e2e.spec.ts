// Lane: long, alone (payments, consents and the settlement worker run in two processes each).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPool } from '@xs2a/postgres/pool';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { Page } from '@xs2a/tpp-client/psu-browser';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import {
  bulkPath,
  bulkPayment,
  consentBody,
  createConsent,
  dayFrom,
  domesticPath,
  domesticPayment,
  initiate,
  type Initiated,
  listCodes,
  periodicPath,
  periodicPayment,
  readStatus,
  sandboxNow,
} from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

const rounds = 5;
const racers = 8;
let world: World;
let tpp: TppClient;
let token: string;
let ledger: ReturnType<typeof createPool>;
let psu: FreshPsu;
let iban: string;
beforeAll(async () => {
  world = await World.around({ twice: ['payments', 'consents', 'settlement-worker'] });
  tpp = world.tpp();
  ledger = createPool({ url: world.sandbox.databaseUrl('xs2a_accounts'), name: 'postings', max: 1 });
}, 120_000);
beforeEach(async () => {
  token = await tpp.applicationToken();
  psu = await world.person('1000.00');
  iban = psu.accounts[0]?.iban ?? '';
});
afterAll(async () => {
  await ledger.end();
  await world.stop();
});

const signed = async (body: Record<string, unknown>, at = domesticPath): Promise<Initiated> => {
  const payment = await initiate(tpp, token, body, {}, at);
  await walkAndApprove(world.browser(), payment.scaRedirect, psu);
  return payment;
};
const settle = async ({ paymentId }: Initiated): Promise<Answer> =>
  tpp.call('POST', `/sandbox/payments/${paymentId}/settle`, token);
const summarise = (answer: Answer): string =>
  answer.status === 204 ? '204' : `${answer.status} ${listCodes(answer)[0]}`;
const status = async ({ path }: Initiated): Promise<unknown> =>
  (await readStatus(tpp, token, path))['transactionStatus'];
/** Returns how often the sandbox's core bank has posted money from the PSU's account, and the sum in minor units. */
const posted = async (): Promise<{ readonly times: number; readonly sum: number }> => {
  const { rows } = await ledger.query<{ times: number; sum: string }>(
    `SELECT count(*)::int AS times, coalesce(sum(t.amount), 0) AS sum
     FROM transfer t JOIN account a ON a.id = t.debit_account WHERE a.iban = $1 AND t.kind = 'post'`,
    [iban],
  );
  return { times: rows[0]?.times ?? 0, sum: Number(rows[0]?.sum) };
};

describe('settle calls that race (contract 13): money moves once', () => {
  it('with each other: each is 204 or 409 STATUS_INVALID, and the payment is executed once', async () => {
    for (let round = 1; round <= rounds; round += 1) {
      const payment = await signed(domesticPayment(iban, '1.00'));
      const answers = await Promise.all(Array.from({ length: racers }, async () => settle(payment)));
      const outcomes = new Set(answers.map(summarise));
      expect(outcomes).toContain('204');
      expect([...outcomes].filter((one) => one !== '204' && one !== '409 STATUS_INVALID')).toEqual([]);
      expect(await status(payment)).toBe('ACSC');
      expect(await posted()).toEqual({ times: round, sum: round * 100 });
    }
  }, 60_000);

  it('with the worker, to which the payment falls due at the same moment', async () => {
    for (let round = 1; round <= rounds; round += 1) {
      const payment = await signed(domesticPayment(iban, '1.00'));
      const [answer] = await Promise.all([settle(payment), world.advance('PT1M')]);
      expect(['204', '409 STATUS_INVALID']).toContain(summarise(answer));
      expect(await status(payment)).toBe('ACSC');
      expect(await posted()).toEqual({ times: round, sum: round * 100 });
    }
  }, 60_000);

  it('with a DELETE: one of the two wins, and the other is refused', async () => {
    let settled = 0;
    for (let round = 0; round < rounds; round += 1) {
      const payment = await signed(domesticPayment(iban, '1.00'));
      const [settlement, cancellation] = await Promise.all([
        settle(payment),
        tpp.call('DELETE', payment.path, token),
      ]);
      const outcome = [summarise(settlement), summarise(cancellation), await status(payment)];
      if (cancellation.status === 204) expect(outcome).toEqual(['409 STATUS_INVALID', '204', 'CANC']);
      else {
        expect(outcome).toEqual(['204', '405 CANCELLATION_INVALID', 'ACSC']);
        settled += 1;
      }
      expect(await posted()).toEqual({ times: settled, sum: settled * 100 });
    }
  }, 60_000);

  it('of a bulk payment, with each other and with the worker: each entry is executed once', async () => {
    const bulk = await signed(bulkPayment(iban, ['1.00', '2.00', '3.00', '4.00']), bulkPath);
    const answers = await Promise.all([
      world.advance('PT1M'),
      ...Array.from({ length: racers }, async () => summarise(await settle(bulk))),
    ]);
    for (const answer of answers.slice(1)) expect(['204', '409 STATUS_INVALID']).toContain(answer);
    expect(await status(bulk)).toBe('ACSC');
    expect(await posted()).toEqual({ times: 4, sum: 1000 });
  });

  it('of an order: no occurrence is executed twice', async () => {
    const startDate = dayFrom(await sandboxNow(world), 30);
    const changes = { frequency: 'Daily', numberOfPayments: racers };
    const order = await signed(periodicPayment(iban, startDate, changes), periodicPath);
    await Promise.all(Array.from({ length: racers }, async () => settle(order)));
    while (summarise(await settle(order)) === '204');
    expect(await status(order)).toBe('ACSC');
    expect(await posted()).toEqual({ times: racers, sum: racers * 1250 });
  }, 30_000);
});

/** Goes through the SCA pages to the form for the code, and returns a function that sends it. */
const upToCode = async (url: string): Promise<() => Promise<Page>> => {
  const browser = world.browser();
  const { psuId, password } = psu;
  const review = await browser.submit(await browser.open(url), { psuId, password }, 'approve');
  const code = await browser.submit(review, {}, 'approve');
  return async () => browser.submit(code, { otp: '123456' }, 'approve');
};

describe('expire calls that race with a signature (contract 13): one wins', () => {
  it('of a payment: it is RJCT, or signed and can be settled', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const payment = await initiate(tpp, token, domesticPayment(iban, '1.00'));
      const signs = await upToCode(payment.scaRedirect);
      const [page, answer] = await Promise.all([
        signs(),
        tpp.call('POST', `/sandbox/payments/${payment.paymentId}/expire`, token),
      ]);
      expect(page.status).toBeLessThan(500);
      const isSigned = answer.status === 409;
      expect([summarise(answer), await status(payment)]).toEqual(
        isSigned ? ['409 STATUS_INVALID', 'ACCP'] : ['204', 'RJCT'],
      );
      expect(summarise(await settle(payment))).toBe(isSigned ? '204' : '409 STATUS_INVALID');
    }
  }, 60_000);

  it('end a consent as rejected if it was not authorised yet, and as expired if it was valid', async () => {
    const body = consentBody([iban], dayFrom(await sandboxNow(world), 30));
    for (let round = 0; round < rounds; round += 1) {
      const created = parseJson<{ consentId: string; _links: { scaRedirect: { href: string } } }>(
        await createConsent(tpp, psu.psuId, body),
      );
      const signs = await upToCode(created._links.scaRedirect.href);
      const [page, answer] = await Promise.all([
        signs(),
        tpp.call('POST', `/sandbox/consents/${created.consentId}/expire`, token),
      ]);
      expect([page.status < 500, answer.status]).toEqual([true, 204]);
      const read = await tpp.call('GET', `/v1/consents/${created.consentId}/status`, token);
      expect(['rejected', 'expired']).toContain(parseJson(read)['consentStatus']);
    }
  }, 60_000);
});
