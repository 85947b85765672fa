// Lane: nightly (a bank with its own core switches to euro).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ExampleBank, exampleSample, startExampleBank } from '@xs2a/core-banking/testing/example-bank';
import { addDays, startOfBankDay, toBankDate } from '@xs2a/domain/time/bank-calendar';
import { type NatsServer, startNats } from '@xs2a/local-servers/nats-server';
import { readDocumentAgain } from '@xs2a/test-support/contract/openapi';
import {
  consentBody,
  consented,
  dayFrom,
  domesticPayment,
  initiate,
  type Initiated,
  present,
  readStatus,
  resourceIds,
  sandboxNow,
} from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { parseJson } from '@xs2a/tpp-client/http';
import { type PsuCredentials, walkAndApprove } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeOperator } from '../testing/command-process.js';
import type { reportJson } from './report.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-euro-core-'));
const { iban, foreignIban } = exampleSample;
let nats: NatsServer;
let bank: ExampleBank;
let world: World;
let tpp: TppClient;
beforeAll(async () => {
  nats = await startNats({ dataDir: folder });
}, 60_000);
afterAll(async () => {
  await nats?.stop();
  rmSync(folder, { recursive: true, force: true });
});

// The core system keeps the latest time that it has heard, so each sandbox has one of its own.
const startBank = async (): Promise<void> => {
  bank = await startExampleBank(nats.url);
  world = await World.around({ profile: 'sandbox', coreBank: nats.url });
  tpp = world.tpp();
};
const stopBank = async (): Promise<void> => {
  await world?.stop();
  await bank?.stop();
};

const otp = async () => (await bank.nextOtp()).code;
const psu = { ...exampleSample, accounts: [], otp };
const boris = { psuId: 'boris', password: 'boris-password', otp };
const signed = async (body: Record<string, unknown>, signer: PsuCredentials = psu): Promise<Initiated> => {
  const payment = await initiate(tpp, await tpp.applicationToken(), body);
  await walkAndApprove(world.browser(), payment.scaRedirect, signer);
  return payment;
};
/** The start of the day after `now`, and a function that runs the switch-over at that moment. */
const planFor = (now: string) => {
  const at = startOfBankDay(addDays(toBankDate(now, 'Europe/Sofia'), 1), 'Europe/Sofia');
  const operator = makeOperator(world.dataDir);
  return { at, run: async () => operator.xs2a('euro', 'switch', '--at', at, '--json') };
};
const inLeva = [1, expect.stringContaining('The core bank still answers that accounts are in BGN.')];
const reportOf = ({ stdout }: { readonly stdout: string }) =>
  JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as ReturnType<typeof reportJson>;
const statusOf = async ({ path }: Initiated) => readStatus(tpp, await tpp.applicationToken(), path);

interface Listed {
  readonly account: { readonly currency: string };
  readonly transactions: {
    readonly booked: readonly {
      readonly transactionAmount: { readonly currency: string; readonly amount: string };
    }[];
  };
}
/** Reads the main account: the currency of its first balance, and its booked entries. */
const readMain = async (token: string, dateFrom: string) => {
  const [main] = await resourceIds(tpp, token);
  const balances = await tpp.call('GET', `/v1/accounts/${main}/balances`, token, present);
  const entries = await tpp.call(
    'GET',
    `/v1/accounts/${main}/transactions?dateFrom=${dateFrom}`,
    token,
    present,
  );
  expect([balances.status, entries.status]).toEqual([200, 200]);
  const {
    balances: [balance],
  } = parseJson<{
    balances: { balanceAmount: { currency: string } }[];
  }>(balances);
  return { balanceIn: balance?.balanceAmount.currency, ...parseJson<Listed>(entries) };
};

describe('the switch-over of a bank with its own core system, without an open payment (contract E6.1)', () => {
  beforeAll(startBank, 180_000);
  afterAll(stopBank);

  it('asks about the accounts of valid consents, and ends when the service knows no account', async () => {
    const now = await sandboxNow(world);
    const { consentId } = await consented(world, tpp, psu, consentBody([iban], dayFrom(now, 60)));
    const { at, run } = planFor(now);
    expect((await run()).code).toBe(0);
    await world.advance(`PT${Math.ceil((Date.parse(at) - Date.parse(now)) / 60_000)}M`);
    const refused = await run();
    expect([refused.code, refused.stderr]).toEqual(inLeva);

    const token = await tpp.applicationToken('PSP_AI');
    expect((await tpp.call('DELETE', `/v1/consents/${consentId}`, token)).status).toBe(204);
    const done = await run();
    expect([done.code, done.stderr]).toEqual([0, expect.any(String)]);
    expect(reportOf(done)).toMatchObject({ accountsAsked: 0, invariants: '8 of 8' });
  }, 120_000);
});

describe('the switch-over of a bank with its own core system (contract E6.1)', () => {
  beforeAll(startBank, 180_000);
  afterAll(stopBank);

  it('waits with exit code 1 until that system has converted its accounts, and then ends', async () => {
    const now = await sandboxNow(world);
    const { at, run } = planFor(now);
    const firstDay = dayFrom(now, 1);
    expect((await run()).code).toBe(0);
    const minutesBefore = Math.floor((Date.parse(at) - Date.parse(now)) / 60_000) - 5;
    await world.advance(`PT${minutesBefore}M`);
    const unsigned = await initiate(tpp, await tpp.applicationToken(), domesticPayment(iban, '1.00'));
    const later = await signed(
      domesticPayment(iban, '100.00', { requestedExecutionDate: addDays(firstDay, 5) }),
    );
    await world.advance('PT4M');
    // It becomes due in the last minute, and is settled in leva by the first run.
    const due = await signed(domesticPayment(foreignIban, '30.00'), boris);
    const { tokens } = await consented(world, tpp, psu, consentBody([iban], dayFrom(now, 60)));
    await world.advance('PT2M');

    const refused = await run();
    expect([refused.code, refused.stderr]).toEqual(inLeva);
    expect(await statusOf(unsigned)).toMatchObject({ transactionStatus: 'RCVD' });
    expect(await statusOf(due)).toMatchObject({ transactionStatus: 'ACSC' });
    const before = await readMain(tokens.access_token, addDays(firstDay, -20));
    expect([before.balanceIn, before.account.currency]).toEqual(['BGN', 'BGN']);

    await bank.convert();
    const between = await readMain(tokens.access_token, addDays(firstDay, -20));
    expect([between.balanceIn, between.account.currency]).toEqual(['EUR', 'EUR']);
    expect(between.transactions.booked[0]?.transactionAmount).toMatchObject({ currency: 'EUR' });
    expect(between.transactions.booked[1]?.transactionAmount).toMatchObject({ currency: 'BGN' });
    const post = await tpp.call(
      'POST',
      '/v1/payments/domestic-credit-transfer-BGN',
      await tpp.applicationToken(),
      {
        json: domesticPayment(iban, '1.00'),
      },
    );
    expect([post.status, post.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    expect((await tpp.call('DELETE', later.path, await tpp.applicationToken())).status).toBe(503);

    const done = await run();
    expect([done.code, done.stderr]).toEqual([0, expect.any(String)]);
    // The accounts of the open payments and the consent, and of the one that was settled.
    expect(reportOf(done)).toMatchObject({
      payments: { settledBefore: 1, converted: 1, rejectedUnsigned: 1 },
      accountsAsked: 2,
      invariants: '8 of 8',
    });
    expect(await statusOf(unsigned)).toMatchObject({ transactionStatus: 'RJCT' });
    readDocumentAgain(world.baseUrl);
    const after = await readMain(tokens.access_token, addDays(firstDay, -20));
    expect(after.transactions.booked.map(({ transactionAmount }) => transactionAmount)).toEqual(
      between.transactions.booked.map(({ transactionAmount }) => transactionAmount),
    );
    expect(after.transactions.booked[1]).toMatchObject({ accountCurrencyAmount: { currency: 'EUR' } });
    await world.advance('P7D');
    expect(await statusOf(later)).toMatchObject({ transactionStatus: 'ACSC' });
  }, 180_000);
});
