import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPool } from '@xs2a/postgres/pool';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove, walkAndDecline } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import {
  awayFromMidnight,
  bulkPath,
  bulkPayment,
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
  until,
} from '@xs2a/test-support/requests';
import { initiateForSeveral, startFor } from '@xs2a/test-support/several-signers';
import { homeCurrency } from '@xs2a/test-support/home';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let token: string;
let ledger: ReturnType<typeof createPool>;
let psu: FreshPsu;
let today: string;
beforeAll(async () => {
  world = await World.start();
  tpp = world.tpp();
  ledger = createPool({ url: world.sandbox.databaseUrl('xs2a_accounts'), name: 'postings', max: 1 });
});
beforeEach(async () => {
  await awayFromMidnight(world);
  token = await tpp.applicationToken();
  psu = await world.person('100.00');
  today = dayFrom(await sandboxNow(world), 0);
});
afterAll(async () => {
  await ledger.end();
  await world.stop();
});

const iban = ({ accounts }: FreshPsu = psu): string => accounts[0]?.iban ?? '';
/** Returns the date a number of days from today. */
const day = (days: number): string => dayFrom(`${today}T12:00:00Z`, days);
const settle = async (paymentId: string, as = token): Promise<Answer> =>
  tpp.call('POST', `/sandbox/payments/${paymentId}/settle`, as);
const summarise = (answer: Answer): unknown =>
  answer.status === 204 ? 204 : [answer.status, ...listCodes(answer)];
const forbidden = [409, 'STATUS_INVALID'];
const status = async ({ path }: Pick<Initiated, 'path'>): Promise<unknown> => readStatus(tpp, token, path);
const details = async ({ path }: Initiated): Promise<Record<string, unknown>> =>
  parseJson(await tpp.call('GET', path, token));
const sign = async ({ scaRedirect }: Pick<Initiated, 'scaRedirect'>, who = psu): Promise<void> =>
  void (await walkAndApprove(world.browser(), scaRedirect, who));
const signed = async (body: Record<string, unknown>, at = domesticPath): Promise<Initiated> => {
  const payment = await initiate(tpp, token, body, {}, at);
  await sign(payment);
  return payment;
};
/** Returns the amounts, in minor units, that the sandbox's core bank has posted from the PSU's account, in order. */
const postings = async (from = iban()): Promise<number[]> => {
  const { rows } = await ledger.query<{ amount: string }>(
    `SELECT t.amount FROM transfer t JOIN account a ON a.id = t.debit_account
     WHERE a.iban = $1 AND t.kind = 'post' ORDER BY t.at, t.amount`,
    [from],
  );
  return rows.map(({ amount }) => Number(amount));
};
const paid = { transactionStatus: 'ACSC', fundsAvailable: true };

describe('POST /sandbox/payments/{paymentId}/settle (contract 13)', () => {
  it('executes a signed payment before it is due: the next read returns ACSC, and the entry is booked later', async () => {
    const payment = await signed(domesticPayment(iban()));
    expect(await status(payment)).toEqual({ transactionStatus: 'ACCP' });
    const answer = await settle(payment.paymentId);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await status(payment)).toEqual(paid);
    expect(await postings()).toEqual([1250]);
    expect(summarise(await settle(payment.paymentId))).toEqual(forbidden);
    await world.advance('PT6M');
    expect(await postings()).toEqual([1250]);
  });

  it('executes a payment whose execution day is months ahead, and does not execute it again on that day', async () => {
    const body = domesticPayment(iban(), '12.50', { requestedExecutionDate: day(90) });
    const payment = await signed(body);
    expect(summarise(await settle(payment.paymentId))).toBe(204);
    expect(await status(payment)).toEqual(paid);
    expect(await details(payment)).toMatchObject({ requestedExecutionDate: day(90) });
    await world.advance('P91D');
    expect(await postings()).toEqual([1250]);
  });

  it('ends a payment without funds as the worker does: 204, ACCP with fundsAvailable false, no money moved', async () => {
    const payment = await signed(domesticPayment(iban(), '100.01'));
    expect(summarise(await settle(payment.paymentId))).toBe(204);
    expect(await status(payment)).toMatchObject({ transactionStatus: 'ACCP', fundsAvailable: false });
    expect(await postings()).toEqual([]);
    expect(summarise(await settle(payment.paymentId))).toEqual(forbidden);
  });

  it.each([
    ['RCVD', async () => undefined],
    [
      'ACCP before the signature',
      async ({ scaRedirect }: Initiated) => {
        const browser = world.browser();
        const { psuId, password } = psu;
        await browser.submit(await browser.open(scaRedirect), { psuId, password }, 'approve');
      },
    ],
    [
      'RJCT',
      async ({ scaRedirect }: Initiated) =>
        void (await walkAndDecline(world.browser(), scaRedirect, psu, 'refuse')),
    ],
    ['CANC', async ({ path }: Initiated) => void (await tpp.call('DELETE', path, token))],
  ])('is 409 STATUS_INVALID for a payment in %s, which stays as it is', async (_state, make) => {
    const payment = await initiate(tpp, token, domesticPayment(iban()));
    await make(payment);
    const before = await status(payment);
    expect(summarise(await settle(payment.paymentId))).toEqual(forbidden);
    expect(await status(payment)).toEqual(before);
    expect(await postings()).toEqual([]);
  });

  it('is 409 STATUS_INVALID for a payment in PATC, and executes it after the last of several signatures', async () => {
    const { iban: shared, signers } = await world.corporate(2, 2);
    const payment = await initiateForSeveral(tpp, token, shared);
    for (const [index, signer] of signers.entries()) {
      expect(summarise(await settle(payment.id))).toEqual(forbidden);
      await sign(await startFor(tpp, token, payment, signer), signer);
      expect(await status(payment)).toEqual({ transactionStatus: index === 0 ? 'PATC' : 'ACCP' });
    }
    expect(summarise(await settle(payment.id))).toBe(204);
    expect(await status(payment)).toEqual(paid);
    expect(await postings(shared)).toEqual([1250]);
  });
});

describe('settling a periodic order (contract 13)', () => {
  const occurrences = async (order: Initiated): Promise<string[]> =>
    (
      (await details(order))['occurrences'] as {
        executionDate: string;
        transactionStatus: string;
        fundsAvailable?: boolean;
      }[]
    ).map((one) => `${one.executionDate} ${one.transactionStatus} ${one.fundsAvailable ?? '-'}`);
  const daily = (count: number, amount = '12.50'): Record<string, unknown> => ({
    ...periodicPayment(iban(), day(10), { frequency: 'Daily', numberOfPayments: count }),
    instructedAmount: { currency: homeCurrency, amount },
  });

  it('executes one occurrence per call, with its planned executionDate, until the order is ACSC', async () => {
    const order = await signed(daily(2), periodicPath);
    expect(summarise(await settle(order.paymentId))).toBe(204);
    expect(await status(order)).toMatchObject({ transactionStatus: 'ACSP' });
    expect(await occurrences(order)).toEqual([`${day(10)} ACTC true`, `${day(11)} ACTC -`]);
    expect(await postings()).toEqual([1250]);
    expect(summarise(await settle(order.paymentId))).toBe(204);
    expect(await status(order)).toMatchObject({ transactionStatus: 'ACSC' });
    expect(await occurrences(order)).toEqual([`${day(10)} ACSC true`, `${day(11)} ACSC true`]);
    expect(summarise(await settle(order.paymentId))).toEqual(forbidden);
    await world.advance('P12D');
    expect(await postings()).toEqual([1250, 1250]);
  });

  it('leaves the occurrence after it on its own day', async () => {
    const order = await signed(daily(2), periodicPath);
    expect(summarise(await settle(order.paymentId))).toBe(204);
    await world.advance('P9D');
    expect(await postings()).toEqual([1250]);
    await world.advance('P2D');
    expect(await postings()).toEqual([1250, 1250]);
    token = await tpp.applicationToken();
    expect(await status(order)).toMatchObject({ transactionStatus: 'ACSC' });
  });

  it('skips an occurrence that lacks funds, and then executes the next one', async () => {
    const order = await signed(daily(2, '100.01'), periodicPath);
    expect(summarise(await settle(order.paymentId))).toBe(204);
    expect(await occurrences(order)).toEqual([`${day(10)} ACTC false`, `${day(11)} ACTC -`]);
    await tpp.call('POST', `/sandbox/accounts/${iban()}/deposit`, token, {
      json: { amount: '50.00', currency: homeCurrency },
    });
    expect(summarise(await settle(order.paymentId))).toBe(204);
    expect(await occurrences(order)).toEqual([`${day(10)} CANC false`, `${day(11)} ACSC true`]);
    expect(await postings()).toEqual([10_001]);
  });

  it('is 409 STATUS_INVALID before the signature and after a cancellation', async () => {
    const order = await initiate(tpp, token, daily(2), {}, periodicPath);
    expect(summarise(await settle(order.paymentId))).toEqual(forbidden);
    await sign(order);
    expect((await tpp.call('DELETE', order.path, token)).status).toBe(204);
    expect(summarise(await settle(order.paymentId))).toEqual(forbidden);
    expect(await postings()).toEqual([]);
  });
});

describe('settling a bulk payment (contract 13)', () => {
  const entries = async (bulk: Initiated): Promise<unknown[]> =>
    ((await details(bulk))['payments'] as Record<string, unknown>[]).map(
      ({ transactionStatus, fundsAvailable }) => [transactionStatus, fundsAvailable],
    );

  it('executes every entry', async () => {
    const body = bulkPayment(iban(), ['1.00', '2.00', '3.00'], { requestedExecutionDate: day(30) });
    const bulk = await signed(body, bulkPath);
    expect(summarise(await settle(bulk.paymentId))).toBe(204);
    expect(await status(bulk)).toEqual(paid);
    expect(await postings()).toEqual([100, 200, 300]);
    expect(summarise(await settle(bulk.paymentId))).toEqual(forbidden);
  });

  it('ends as PART if the balance covers only some entries, and without funds if it covers none', async () => {
    const some = await signed(bulkPayment(iban(), ['60.00', '60.00', '40.00']), bulkPath);
    expect(summarise(await settle(some.paymentId))).toBe(204);
    expect(await status(some)).toMatchObject({ transactionStatus: 'PART' });
    expect(await entries(some)).toEqual([
      ['ACSC', true],
      ['ACCP', false],
      ['ACSC', true],
    ]);
    const none = await signed(bulkPayment(iban(), ['1.00', '1.00']), bulkPath);
    expect(summarise(await settle(none.paymentId))).toBe(204);
    expect(await status(none)).toMatchObject({ transactionStatus: 'ACCP', fundsAvailable: false });
    for (const { paymentId } of [some, none]) expect(summarise(await settle(paymentId))).toEqual(forbidden);
  });

  it('is 409 STATUS_INVALID before the signature', async () => {
    const bulk = await initiate(tpp, token, bulkPayment(iban(), ['1.00', '2.00']), {}, bulkPath);
    expect(summarise(await settle(bulk.paymentId))).toEqual(forbidden);
  });
});

describe('settling the items of a signing basket (contract 10, 13)', () => {
  it('is 409 STATUS_INVALID until the basket is signed; the basket is ACSC once each item is settled', async () => {
    const [single, bulk] = [
      await initiate(tpp, token, domesticPayment(iban(), '1.00')),
      await initiate(tpp, token, bulkPayment(iban(), ['2.00', '3.00']), {}, bulkPath),
    ];
    const answer = await tpp.call('POST', '/v1/signing-baskets', token, {
      json: { paymentIds: [single.paymentId, bulk.paymentId] },
    });
    const { basketId, _links } = parseJson<{
      basketId: string;
      _links: { scaRedirect: { href: string } };
    }>(answer);
    const basket = { path: `/v1/signing-baskets/${basketId}` };
    for (const { paymentId } of [single, bulk]) expect(summarise(await settle(paymentId))).toEqual(forbidden);
    await sign({ scaRedirect: _links.scaRedirect.href });
    expect(await status(basket)).toMatchObject({ transactionStatus: 'ACTC' });
    expect(summarise(await settle(single.paymentId))).toBe(204);
    expect(await status(basket)).toMatchObject({ transactionStatus: 'ACTC' });
    expect(summarise(await settle(bulk.paymentId))).toBe(204);
    expect(await status(basket)).toMatchObject({ transactionStatus: 'ACSC' });
    expect(await postings()).toEqual([100, 200, 300]);
  });
});

describe('the ids of POST /sandbox/payments/{paymentId}/settle (contract 13)', () => {
  it('get the same bytes with 404 RESOURCE_UNKNOWN if they are unknown, malformed, cleared or another TPP’s', async () => {
    const payment = await signed(domesticPayment(iban()));
    const theirs = await world.tpp('sandbox-tpp-2').applicationToken();
    const consent = await tpp.call('POST', '/v1/consents', token, {
      json: {
        access: { accounts: [], balances: [], transactions: [] },
        recurringIndicator: true,
        validUntil: day(30),
        frequencyPerDay: 4,
      },
      headers: { 'psu-id': psu.psuId },
    });
    const answers = [
      await settle(randomUUID()),
      await settle('x'),
      await settle(payment.paymentId, theirs),
      await settle(parseJson<{ consentId: string }>(consent).consentId),
    ];
    expect(await status(payment)).toEqual({ transactionStatus: 'ACCP' });
    expect((await tpp.call('DELETE', '/sandbox/payments', token)).status).toBe(204);
    answers.push(await settle(payment.paymentId));
    expect(answers.map(summarise)).toEqual(answers.map(() => [404, 'RESOURCE_UNKNOWN']));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await postings()).toEqual([]);
  });

  it('require an application token of any TPP, and no body', async () => {
    const { paymentId } = await signed(domesticPayment(iban()));
    const path = `/sandbox/payments/${paymentId}/settle`;
    expect(summarise(await tpp.call('POST', path, undefined))).toEqual([401, 'TOKEN_UNKNOWN']);
    expect(summarise(await tpp.call('GET', path, token))).toEqual([405, 'SERVICE_INVALID']);
    const ais = await tpp.applicationToken('PSP_AI');
    expect(summarise(await tpp.call('POST', path, ais, { json: {} }))).toBe(204);
  });
});

describe('settling while the core bank is down (contract 13)', () => {
  it('is 503 with Retry-After; the payment is executed when the bank is back, and a repeat waits for it', async () => {
    const payment = await signed(domesticPayment(iban()));
    const simulate = async (outcome: string, calls: number): Promise<void> => {
      const json = { psuId: psu.psuId, outcome, calls };
      expect((await tpp.call('POST', '/sandbox/simulate', token, { json })).status).toBe(200);
    };
    await simulate('core-bank-down', 100);
    const refused = await settle(payment.paymentId);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await status(payment)).toEqual({ transactionStatus: 'ACCP' });
    await simulate('none', 1);
    await until(
      async () => settle(payment.paymentId),
      ({ status }) => status !== 503,
    );
    expect(await status(payment)).toEqual(paid);
    expect(await postings()).toEqual([1250]);
  });

  it('waits for a bank that is slow', async () => {
    const payment = await signed(domesticPayment(iban()));
    const json = { psuId: psu.psuId, outcome: 'slow', calls: 1 };
    await tpp.call('POST', '/sandbox/simulate', token, { json });
    expect(summarise(await settle(payment.paymentId))).toBe(204);
    expect(await status(payment)).toEqual(paid);
  });
});
