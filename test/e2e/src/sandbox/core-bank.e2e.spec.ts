// Lane: long, alone (a response time is measured against a limit of two and a half seconds).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ExampleBank, exampleSample, startExampleBank } from '@xs2a/core-banking/testing/example-bank';
import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { randomUUID } from 'node:crypto';
import {
  authorised,
  bookedAt,
  listCodes,
  consentBody,
  consented,
  dayFrom,
  domesticPayment,
  initiate,
  sandboxNow,
  readStatus,
  until,
} from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

let world: World;
let bank: ExampleBank;
let tpp: TppClient;
let anna: FreshPsu;
const foreign = { CORE_BANK: 'nats' };
const present = { headers: { 'psu-ip-address': '198.51.100.7' } };

beforeAll(async () => {
  world = await World.start({ accounts: foreign, auth: foreign });
  bank = await startExampleBank(world.sandbox.natsUrl('bank'));
  tpp = world.tpp();
  const { psuId, password, iban, currency } = exampleSample;
  anna = {
    psuId,
    password,
    accounts: [{ iban, currency }],
    otp: async () => (await bank.nextOtp()).code,
  };
});
afterAll(async () => {
  await bank.stop();
  await world.stop();
});

const { iban } = exampleSample;
const accountsToken = async (): Promise<string> => {
  const body = consentBody([iban], dayFrom(await sandboxNow(world), 30));
  return (await consented(world, tpp, anna, body)).tokens.access_token;
};
const readAll = async (token: string) => {
  const read = async <Body>(path: string): Promise<Body> => {
    const answer = await tpp.call('GET', path, token, present);
    expect({ path, status: answer.status }).toEqual({ path, status: 200 });
    return parseJson<Body & Record<string, unknown>>(answer);
  };
  const { accounts } = await read<{ accounts: { resourceId: string; iban: string }[] }>('/v1/accounts');
  const path = `/v1/accounts/${accounts[0]?.resourceId}`;
  const { balances } = await read<{
    balances: { balanceType: string; balanceAmount: { amount: string } }[];
  }>(`${path}/balances`);
  type Entries = { transactionId: string; transactionAmount: { amount: string } }[];
  const { transactions } = await read<{ transactions: { booked: Entries; pending: Entries } }>(
    `${path}/transactions`,
  );
  return {
    accounts,
    path,
    transactions,
    expected: Number(
      balances.find(({ balanceType }) => balanceType === 'expected')?.balanceAmount.amount ?? Number.NaN,
    ),
  };
};
const signed = async (amount: string): Promise<{ path: string; token: string }> => {
  const token = await tpp.applicationToken();
  const { path, scaRedirect } = await initiate(tpp, token, domesticPayment(iban, amount));
  await walkAndApprove(world.browser(), scaRedirect, anna);
  expect(await readStatus(tpp, token, path)).toMatchObject({ transactionStatus: 'ACCP' });
  return { path, token };
};

describe('a custom core bank connected over NATS (docs/how-to/connect-your-core-bank.md)', () => {
  it('serves account data under a consent that is authorised with a code sent by the core bank', async () => {
    const { accounts, transactions, expected } = await readAll(await accountsToken());
    expect(accounts.map((account) => account.iban)).toEqual([iban]);
    expect(transactions.booked.length).toBeGreaterThan(10);
    expect(expected).toBe(1000);
  });

  it('returns only new entries: none after the last report, and two after the third newest entry (contract 6)', async () => {
    const token = await accountsToken();
    const { path, transactions } = await readAll(token);
    const newest = transactions.booked.slice(0, 3).map(({ transactionId }) => transactionId);
    const since = async (query: string) => bookedAt(tpp, `${path}/transactions?${query}`, token);
    expect((await since('deltaList=true')).ids).toEqual([]);
    expect((await since(`entryReferenceFrom=${newest[2]}`)).ids).toEqual(newest.slice(0, 2));
    const unknown = await tpp.call('GET', `${path}/transactions?entryReferenceFrom=none`, token, present);
    expect([unknown.status, listCodes(unknown)]).toEqual([400, ['FORMAT_ERROR']]);
  });

  it('settles a payment: it is held, posted, listed in the history and booked after five minutes, and the money moves once', async () => {
    const before = await readAll(await accountsToken());
    const { path, token } = await signed('12.50');
    await world.advance('PT1M');
    expect(await readStatus(tpp, token, path)).toMatchObject({
      transactionStatus: 'ACSC',
      fundsAvailable: true,
    });
    const pending = await readAll(await accountsToken());
    expect(before.expected - pending.expected).toBe(12.5);
    expect(pending.transactions.pending.map(({ transactionAmount }) => transactionAmount.amount)).toEqual([
      '-12.50',
    ]);
    await world.advance('PT5M');
    const booked = await readAll(await accountsToken());
    expect(booked.transactions.pending).toEqual([]);
    expect(booked.transactions.booked[0]?.transactionAmount.amount).toBe('-12.50');
    expect(booked.expected).toBe(pending.expected);
  });

  it('refuses a payment without sufficient funds, and confirms funds (spec 2.3, 3.1)', async () => {
    const { path, token } = await signed('99999.00');
    await world.advance('PT1M');
    expect(await readStatus(tpp, token, path)).toMatchObject({
      transactionStatus: 'ACCP',
      fundsAvailable: false,
    });
    const { access_token } = await authorised(world, tpp, anna, 'PSP_IC');
    for (const [amount, fundsAvailable] of [
      ['1.00', true],
      ['99999.00', false],
    ] as const) {
      const answer = await tpp.call('POST', '/v1/funds-confirmations', access_token, {
        json: { account: { iban }, instructedAmount: { currency: 'BGN', amount } },
      });
      expect(parseJson(answer)).toEqual({ fundsAvailable });
    }
  });

  it('causes a 503 with Retry-After within two seconds when it hangs, and refused calls are not counted', async () => {
    const token = await accountsToken();
    const { path } = await readAll(token);
    bank.kill('SIGSTOP');
    try {
      for (const endpoint of ['', '/balances', '/transactions']) {
        const began = performance.now();
        const answer = await tpp.call('GET', `${path}${endpoint}`, token);
        expect(answer.status).toBe(503);
        expect(listCodes(answer)).toEqual(['INTERNAL_SERVER_ERROR']);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(performance.now() - began).toBeLessThan(2500);
      }
    } finally {
      bank.kill('SIGCONT');
    }
    const statuses: number[] = [];
    for (let time = 0; time < 5; time += 1) statuses.push((await tpp.call('GET', path, token)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
  });

  it('books a due payment once after it recovers from hanging', async () => {
    const before = await readAll(await accountsToken());
    const { path, token } = await signed('5.00');
    bank.kill('SIGSTOP');
    await tpp.call('POST', '/sandbox/clock', token, { json: { advance: 'PT1M' } });
    expect(await readStatus(tpp, token, path)).toMatchObject({ transactionStatus: 'ACCP' });
    bank.kill('SIGCONT');
    await until(
      () => readStatus(tpp, token, path),
      ({ transactionStatus }) => transactionStatus === 'ACSC',
    );
    const after = await readAll(await accountsToken());
    expect(before.expected - after.expected).toBe(5);
  });

  it('has its own customers and none of the sandbox customers (contract 1)', async () => {
    const token = await tpp.applicationToken();
    const answer = await tpp.call('POST', '/sandbox/psus', token, {
      json: { accounts: [{ currency: 'BGN', opening: '1.00' }] },
      headers: { 'idempotency-key': randomUUID() },
    });
    expect(answer.status).toBe(404);
  });
});
