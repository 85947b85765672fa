import { Kvm } from '@nats-io/kv';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  advanceClock,
  type AisCaller,
  authenticatePsu,
  checkDepositBeforeBody,
  checkFunds,
  checkPsuBeforeBody,
  createSandboxPsu,
  depositInSandbox,
  type HoldOrder,
  listAccounts,
  listPsuAccounts,
  listTransactions,
  nameAccounts,
  placeHolds,
  postHolds,
  type PsuAccount,
  readAccount,
  readAccountFacts,
  readBalances,
  readCorporate,
  readTransaction,
  voidHolds,
} from '@xs2a/contracts/accounts.contract';
import type { Rendered } from '@xs2a/contracts/call';
import { readClockMoves } from '@xs2a/contracts/sandbox/clock-moves.contract';
import { clockBucket, clockKey } from '@xs2a/contracts/clock.contract';
import { makeAssets } from '@xs2a/nats/jetstream-assets';
import { countAccess, type CountAccess, releaseAccess } from '@xs2a/contracts/consents.contract';
import { readClockOffset } from '@xs2a/core-banking/sandbox/settings';
import type { AccessType, GrantedAccount } from '@xs2a/domain/consent/consent-events';
import { callFailed } from '@xs2a/domain/failure/failed';
import { createPool } from '@xs2a/postgres/pool';
import { newId } from '@xs2a/runtime/ids';
import { answering, runningAccounts, type RunningAccounts } from './testing/running-accounts.js';

let service: RunningAccounts;
/**
 * The recorded calls to the consents service, and the accounts that it grants: this file tests the accounts
 * service's side of contract 5.
 */
const counted: CountAccess[] = [];
const released: string[] = [];
let granted: GrantedAccount[] = [];
let ivan: readonly PsuAccount[] = [];

const grant = (...access: AccessType[]): void => {
  granted = ivan.map(({ iban, resourceId, currency }) => ({ iban, resourceId, currency, access }));
};
const caller: AisCaller = { tppId: 'tpp', consentId: newId(), tokenIsFresh: true, callId: newId() };
const main = (): string => ivan[0]?.resourceId ?? '';
const bookedIn = ({ rendered }: Rendered): readonly { readonly transactionId: string }[] =>
  JSON.parse(Buffer.from(rendered).toString()).booked;
const transactions = {
  ...caller,
  dateFrom: '2000-01-01',
  dateTo: '2999-12-31',
  bookingStatus: 'both',
  pageSize: 5,
  withBalance: false,
} as const;

beforeAll(async () => {
  service = await runningAccounts();
  const count = (call: CountAccess) => {
    if (call.tppId !== caller.tppId) throw callFailed('consentUnknown');
    counted.push(call);
    return call.psuPresent
      ? { accounts: granted }
      : { accounts: granted, claimId: `claim-${counted.length}`, remaining: 3 };
  };
  answering(service.nats, countAccess, count);
  answering(service.nats, releaseAccess, ({ claimId }) => {
    released.push(claimId);
    return {};
  });
  ({ accounts: ivan } = await service.callClient.call(listPsuAccounts, { psuId: 'ivan' }));
  grant('accounts', 'balances', 'transactions');
}, 60_000);
afterAll(() => service.close(), 30_000);

describe('account information over NATS (spec 4.4, contract 6)', () => {
  it('lists the consented accounts and returns the number of unattended calls left', async () => {
    const answer = await service.callClient.call(listAccounts, { ...caller, withBalance: false });
    expect(answer.accounts.map(({ iban }) => iban)).toEqual(ivan.map(({ iban }) => iban));
    expect(answer.accounts[0]).toMatchObject({
      resourceId: main(),
      currency: 'BGN',
      cashAccountType: 'CACC',
      status: 'enabled',
      ownerName: 'Иван Петров',
      mayReadBalances: true,
      mayReadTransactions: true,
    });
    expect(answer.accounts.some(({ balances }) => balances !== undefined)).toBe(false);
    expect(answer.unattendedRemaining).toBe(3);
    expect(counted.at(-1)).toEqual({
      tppId: 'tpp',
      consentId: caller.consentId,
      callId: caller.callId,
      endpoint: 'accounts',
      psuPresent: false,
    });
  });

  it('shows balances only if the consent includes them', async () => {
    const read = (): Promise<{ account: { balances?: readonly unknown[]; mayReadTransactions: boolean } }> =>
      service.callClient.call(readAccount, { ...caller, resourceId: main(), withBalance: true });
    expect((await read()).account.balances).toHaveLength(2);
    grant('accounts');
    expect((await read()).account.balances).toBeUndefined();
    expect((await read()).account.mayReadTransactions).toBe(false);
    grant('accounts', 'balances', 'transactions');
  });

  it('returns balances, transactions by page and one transaction, each counted under its endpoint', async () => {
    const request = { ...caller, psuIpAddress: '192.0.2.1', resourceId: main() };
    const { balances, unattendedRemaining } = await service.callClient.call(readBalances, request);
    expect(balances.map(({ amount }) => amount)).toEqual([
      { minor: 500_000, currency: 'BGN' },
      { minor: 500_000, currency: 'BGN' },
    ]);
    expect(unattendedRemaining).toBeUndefined();
    expect(counted.at(-1)).toMatchObject({ endpoint: 'balances', resourceId: main(), psuPresent: true });
    const page = await service.callClient.call(listTransactions, {
      ...transactions,
      resourceId: main(),
      withBalance: true,
    });
    const booked = bookedIn(page);
    expect([booked.length, page.balances?.length]).toEqual([5, 2]);
    const [newest] = booked;
    const one = await service.callClient.call(readTransaction, {
      ...request,
      transactionId: newest?.transactionId ?? '',
    });
    expect(JSON.parse(Buffer.from(one.rendered).toString())).toEqual(newest);
    // The page contains the stored text of the entry, and the single response renders the entry: a TPP must receive the same bytes.
    expect(Buffer.from(page.rendered).includes(Buffer.from(one.rendered))).toBe(true);
    const next = await service.callClient.call(listTransactions, {
      ...transactions,
      resourceId: main(),
      cursor: page.nextCursor,
    });
    expect(bookedIn(next)).toHaveLength(5);
    expect(bookedIn(next)).not.toContainEqual(newest);
  });

  it('does not count a failed call', async () => {
    const failing = [
      service.callClient.call(listTransactions, { ...transactions, resourceId: main(), cursor: 'forged' }),
      service.callClient.call(readTransaction, { ...caller, resourceId: main(), transactionId: 'unknown' }),
      service.callClient.call(readAccount, { ...caller, resourceId: newId(), withBalance: false }),
    ];
    const outcomes = await Promise.allSettled(failing);
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.failures[0])).toEqual([
      expect.objectContaining({ failure: 'fieldMalformed', path: 'cursor' }),
      { failure: 'resourceUnknown' },
      { failure: 'resourceUnknown' },
    ]);
    expect(released).toHaveLength(3);
    expect(new Set(released).size).toBe(3);
  });

  it('passes on the failures of the consent check', async () => {
    await expect(
      service.callClient.call(listAccounts, { ...caller, tppId: 'other', withBalance: false }),
    ).rejects.toMatchObject({
      failures: [{ failure: 'consentUnknown' }],
    });
  });
});

describe('calls from other services (contract 7, 8, 12)', () => {
  it('return account facts, corporate data, the results of password checks, and the availability of funds', async () => {
    const iban = ivan[0]?.iban ?? '';
    expect(await service.callClient.call(readAccountFacts, { iban, psuId: 'ivan' })).toMatchObject({
      ownedByPsu: true,
      account: { type: 'CACC' },
    });
    expect(await service.callClient.call(readCorporate, { corporateId: 'acme' })).toEqual({
      known: true,
      signaturesRequired: 2,
    });
    expect(await service.callClient.call(readCorporate, { corporateId: 'nobody' })).toEqual({ known: false });
    expect(await service.callClient.call(authenticatePsu, { psuId: 'ivan', password: 'sandbox' })).toEqual({
      psu: { psuId: 'ivan', name: 'Иван Петров' },
    });
    expect(await service.callClient.call(authenticatePsu, { psuId: 'ivan', password: 'wrong' })).toEqual({});
    const amount = { minor: 500_000, currency: 'BGN' };
    expect(await service.callClient.call(checkFunds, { psuId: 'ivan', iban, amount })).toEqual({
      fundsAvailable: true,
    });
    await expect(service.callClient.call(checkFunds, { psuId: 'maria', iban, amount })).rejects.toMatchObject(
      {
        failures: [{ failure: 'resourceUnknown' }],
      },
    );
  });

  it('name an account to its owner and to those who sign for its owner, and to nobody else', async () => {
    const name = async (psuId: string, iban?: string) => {
      const request = iban === undefined ? { psuId } : ({ psuId, iban, withBalance: true } as const);
      return (await service.callClient.call(nameAccounts, request)).accounts;
    };
    const iban = ivan[0]?.iban ?? '';
    const [own] = await name('ivan', iban);
    expect(own).toMatchObject({ iban, name: ivan[0]?.product, available: { currency: ivan[0]?.currency } });
    expect((await name('ivan')).map((account) => Object.keys(account))).toEqual(
      ivan.filter(({ status }) => status !== 'closed').map(() => ['iban', 'name']),
    );
    const { accounts: all } = await service.callClient.call(nameAccounts, {
      psuId: 'ivan',
      withBalance: true,
    });
    expect(all.every(({ available }) => available !== undefined)).toBe(true);
    for (const stranger of ['maria', 'georgi', 'nobody']) expect(await name(stranger, iban)).toEqual([]);
    const { accounts } = await service.callClient.call(listPsuAccounts, { psuId: 'georgi' });
    const corporate = accounts.find(({ corporateId }) => corporateId === 'acme')?.iban ?? '';
    for (const signer of ['georgi', 'elena']) expect(await name(signer, corporate)).toHaveLength(1);
    expect(await name('ivan', corporate)).toEqual([]);
  });

  it('that sign in 30 PSUs at once do not delay deposits, even over a few open connections', async () => {
    await service.restart();
    let answered = 0;
    const signIns = Promise.all(
      Array.from({ length: 30 }, async (_, at) => {
        const password = at % 2 === 0 ? 'sandbox' : 'wrong';
        const { psu } = await service.callClient.call(authenticatePsu, { psuId: 'ivan', password });
        answered += 1;
        return psu !== undefined;
      }),
    );
    const body = { amount: '1.00', currency: 'BGN' };
    const iban = ivan[1]?.iban ?? '';
    const idempotencyKey = { path: '/sandbox', hash: 'a' };
    const deposits = await Promise.all(
      Array.from({ length: 10 }, () =>
        service.callClient.call(depositInSandbox, { tppId: 'tpp', idempotencyKey, iban, body }),
      ),
    );
    const answeredBefore = answered;
    expect(deposits.every((answer) => 'transactionId' in answer)).toBe(true);
    expect((await signIns).filter((isRight) => isRight)).toHaveLength(15);
    expect(answeredBefore).toBeLessThan(15);
  });

  it.each([
    ['BGN', 'EUR', ['instructedAmount.currency']],
    ['EUR', 'BGN', ['account.currency']],
    ['EUR', 'EUR', ['account.currency', 'instructedAmount.currency']],
    ['EUR', 'USD', ['account.currency', 'instructedAmount.currency']],
  ])(
    'are rejected if they check the funds of a BGN account in another currency: account given as %s, amount in %s',
    async (named, currency, paths) => {
      const question = { psuId: 'ivan', iban: ivan[0]?.iban, accountCurrency: named };
      const asked = service.callClient.call(checkFunds, { ...question, amount: { minor: 100, currency } });
      await expect(asked).rejects.toMatchObject({
        failures: paths.map((path) => ({ failure: 'fieldMalformed', path })),
      });
    },
  );

  it.each(['USD', 'XXX'])(
    'are rejected if they check funds in %s without naming an account and the PSU has no account in this currency',
    async (currency) => {
      const asked = service.callClient.call(checkFunds, { psuId: 'ivan', amount: { minor: 100, currency } });
      await expect(asked).rejects.toMatchObject({
        failures: [
          {
            failure: 'fieldMalformed',
            path: 'instructedAmount.currency',
            text: 'The PSU has no account in this currency. Send the currency of one of the accounts of the PSU.',
          },
        ],
      });
    },
  );

  it('place, post and release holds', async () => {
    const debtorIban = ivan[1]?.iban ?? '';
    const payment = (): HoldOrder => ({
      paymentId: newId(),
      order: {
        amount: { minor: 5000, currency: 'BGN' },
        debtorIban,
        creditorAccount: 'DE89370400440532013000',
        creditorName: 'Max',
        remittance: 'r',
      },
    });
    const [first, second] = [payment(), payment()];
    const { results } = await service.callClient.call(placeHolds, { orders: [first, second] });
    expect(results.map(({ held }) => held)).toEqual([true, true]);
    expect(await service.callClient.call(voidHolds, { paymentIds: [second.paymentId] })).toEqual({});
    const posted = await service.callClient.call(postHolds, {
      paymentIds: [first.paymentId, second.paymentId],
    });
    expect(posted.results.map((result) => result.posted)).toEqual([true, false]);
  });
});

describe('the sandbox (contract 13)', () => {
  const published = async (): Promise<string | undefined> =>
    (await (await new Kvm(service.nats).open(clockBucket)).get(clockKey))?.string();

  it('creates people and accepts deposits, or reports invalid values', async () => {
    const request = { tppId: 'tpp', idempotencyKey: { path: '/sandbox', hash: 'a' } };
    const psu = await service.callClient.call(createSandboxPsu, {
      ...request,
      body: { accounts: [{ currency: 'BGN', opening: '1.00' }] },
    });
    const iban = psu.accounts[0]?.iban ?? '';
    const deposit = (amount: string): Promise<unknown> =>
      service.callClient.call(depositInSandbox, { ...request, iban, body: { amount, currency: 'BGN' } });
    expect(await deposit('2.00')).toHaveProperty('transactionId');
    await expect(
      service.callClient.call(createSandboxPsu, { ...request, body: { accounts: [] } }),
    ).rejects.toMatchObject({ failures: [{ failure: 'fieldMalformed', path: 'accounts' }] });
    await expect(deposit('x')).rejects.toMatchObject({ failures: [{ path: 'amount' }] });
  });

  it('checks the idempotency key and then the account before the body of a deposit or a new PSU is read (contract 3)', async () => {
    const [used, fresh] = [newId(), newId()];
    const request = (key: string, hash: string) => ({
      tppId: 'tpp',
      idempotencyKey: { path: '/sandbox', key, hash },
    });
    const { callClient } = service;
    const body = { accounts: [{ currency: 'BGN', opening: '1.00' }] };
    const { accounts } = await callClient.call(createSandboxPsu, { ...request(used, 'h'), body });
    const iban = accounts[0]?.iban ?? '';
    const reused = { failures: [{ failure: 'idempotencyKeyReused' }] };
    const unknown = { failures: [{ failure: 'resourceUnknown' }] };
    const other = request(used, 'other');
    await expect(callClient.call(checkPsuBeforeBody, other)).rejects.toMatchObject(reused);
    await expect(callClient.call(checkDepositBeforeBody, { ...other, iban: 'x' })).rejects.toMatchObject(
      reused,
    );
    for (const hash of ['a', 'b']) {
      const sent = request(fresh, hash);
      await expect(callClient.call(checkDepositBeforeBody, { ...sent, iban: 'x' })).rejects.toMatchObject(
        unknown,
      );
      expect(await callClient.call(checkDepositBeforeBody, { ...sent, iban })).toEqual({});
      expect(await callClient.call(checkPsuBeforeBody, sent)).toEqual({});
    }
  });

  it('moves the clock permanently and informs every service', async () => {
    const before = service.clock.offsetMs;
    expect(await service.callClient.call(advanceClock, { byMs: 60_000 })).toEqual({
      offsetMs: before + 60_000,
    });
    expect(service.clock.offsetMs).toBe(before + 60_000);
    expect(await published()).toBe(String(before + 60_000));
    const move = { tppId: 'tpp', advance: 'PT1S' };
    await Promise.all(
      Array.from({ length: 5 }, () => service.callClient.call(advanceClock, { byMs: 1000, move })),
    );
    expect(await published()).toBe(String(before + 65_000));
    const { moves } = await service.callClient.call(readClockMoves, {});
    const movedAt = expect.stringMatching(new RegExp(`^${new Date(service.clock.realMs).getUTCFullYear()}`));
    expect(moves).toEqual(Array.from({ length: 5 }, () => ({ ...move, movedAt })));
  });

  it.each([0, -1, 0.5, Number.MAX_SAFE_INTEGER])('does not move the clock by %p', async (byMs) => {
    await expect(service.callClient.call(advanceClock, { byMs })).rejects.toMatchObject({
      failures: [{ failure: 'fieldMalformed', path: 'advance' }],
    });
  });

  it('keeps the time when the database is reset to an earlier state while the service runs', async () => {
    const { offsetMs } = service.clock;
    const pool = createPool({ url: service.databaseUrl, name: 'older-database' });
    try {
      await pool.query(`UPDATE setting SET value = '1000' WHERE name = 'clock-offset-ms'`);
      while ((await readClockOffset(pool)) !== offsetMs) await new Promise(setImmediate);
      expect([service.clock.offsetMs, await published()]).toEqual([offsetMs, String(offsetMs)]);
    } finally {
      await pool.end();
    }
  });

  it('keeps the time across a restart even if the bucket is lost, and adopts a later time from the bucket', async () => {
    const offset = service.clock.offsetMs;
    const bucket = await new Kvm(service.nats).open(clockBucket);
    await bucket.destroy();
    await makeAssets(service.nats);
    await service.restart();
    expect([service.clock.offsetMs, await published()]).toEqual([offset, String(offset)]);
    await (await new Kvm(service.nats).open(clockBucket)).put(clockKey, String(offset + 5000));
    await service.restart();
    expect(service.clock.offsetMs).toBe(offset + 5000);
    expect((await service.callClient.call(advanceClock, { byMs: 1000 })).offsetMs).toBe(offset + 6000);
  });
});
