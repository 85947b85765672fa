import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nameAccounts, type PsuAccount } from '@xs2a/contracts/accounts.contract';
import type { BankMessages, BankSubject } from '@xs2a/core-banking/nats/bank-messages';
import { newId } from '@xs2a/runtime/ids';
import { setTimeout as pause } from 'node:timers/promises';
import { runningAccounts, type RunningAccounts } from './testing/running-accounts.js';

let service: RunningAccounts;
/** How long the bank takes for each call. */
let takesMs = 0;

const account: PsuAccount = {
  iban: 'BG25XSBK92001000000001',
  resourceId: newId(),
  currency: 'BGN',
  product: 'Current account',
  type: 'CACC',
  status: 'enabled',
  main: true,
};

const answering = <Subject extends BankSubject>(
  subject: Subject,
  answer: BankMessages[Subject]['answer'],
): void => {
  service.nats.subscribe(subject, {
    callback: (_error, message) => {
      void pause(takesMs).then(() => message.respond(JSON.stringify({ ok: answer })));
    },
  });
};

const name = async () =>
  service.callClient.call(nameAccounts, { psuId: 'ivan', iban: account.iban, withBalance: true });

beforeAll(async () => {
  service = await runningAccounts({ coreBank: 'nats' });
  const { iban, resourceId, currency, product } = account;
  answering('svc.bank.psus.accounts', { accounts: [account] });
  answering('svc.bank.accounts.details', {
    accounts: [
      { iban, resourceId, currency, product, cashAccountType: 'CACC', status: 'enabled', balances: [] },
    ],
  });
  // The first answer also compiles its schema.
  await name();
}, 60_000);
afterAll(() => service.close(), 30_000);

describe('the names of accounts at a slow bank (contract 12)', () => {
  it('are returned if the bank takes 300 ms for each of two calls', async () => {
    takesMs = 300;
    expect((await name()).accounts).toMatchObject([{ iban: account.iban, name: account.product }]);
  });

  it('are given up before the caller is, if the bank takes more than a second', async () => {
    takesMs = 600;
    await expect(name()).rejects.toMatchObject({
      failures: [{ failure: 'dependencyDown', dependency: 'core-bank' }],
    });
  });
});
