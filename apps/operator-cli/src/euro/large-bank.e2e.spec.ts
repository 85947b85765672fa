// Lane: nightly (100,000 accounts and 20,000 orders).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toClearingAccount } from '@xs2a/core-banking/sandbox/ledger/ledger-ids';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { signedOrderEvents } from '@xs2a/domain/testing/initiations';
import { bgnOrder } from '@xs2a/domain/testing/signed-payment';
import { addDays, startOfBankDay, toBankDate } from '@xs2a/domain/time/bank-calendar';
import { createLogger } from '@xs2a/observability/logger';
import { createPaymentStore } from '@xs2a/payments/read-models';
import { createPool } from '@xs2a/postgres/pool';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { parseMasterKeys } from '@xs2a/runtime/master-keys';
import { sandboxNow } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { ended, launch, type Ran } from '../testing/command-process.js';
import type { reportJson } from './report.js';

type Report = ReturnType<typeof reportJson>;

const accounts = 100_000;
const orders = 20_000;
const atOnce = 100;

let world: World;
let owner: Pool;
let at: string;
beforeAll(async () => {
  world = await World.start();
  owner = createPool({
    url: world.sandbox.databaseUrl('xs2a_owner'),
    name: 'large-bank',
    max: 4,
    transactionMs: 300_000,
    answerWithinMs: 300_000,
  });
  at = startOfBankDay(addDays(toBankDate(await sandboxNow(world), 'Europe/Sofia'), 1), 'Europe/Sofia');
}, 180_000);
afterAll(async () => {
  await owner?.end();
  await world?.stop();
});

/** Opens accounts whose balances are 1 to 99,999 stotinki. */
const openAccounts = async (): Promise<void> => {
  const values = [accounts, toClearingAccount('incoming', 'BGN')];
  await owner.query(
    `WITH made AS (
       SELECT gen_random_uuid() AS id, 1 + n * 7919 % 99999 AS balance, n FROM generate_series(1, $1::int) n
     ), ledger AS (
       INSERT INTO accounts.ledger_account (id, currency, customer, credits_posted) SELECT id, 'BGN', true, balance FROM made
     ), booked AS (
       INSERT INTO accounts.transfer (id, kind, debit_account, credit_account, amount, at)
       SELECT gen_random_uuid(), 'direct', $2, id, balance, '2025-01-01' FROM made
     )
     INSERT INTO accounts.account (id, iban, type, product, status, main, psu_id)
     SELECT id, 'BG00TEST' || lpad(n::text, 14, '0'), 'CACC', 'Current', 'enabled', false, 'ivan' FROM made`,
    values,
  );
};

/** Signs orders that begin after the switch-over, as the service stores them. */
const signOrders = async (): Promise<void> => {
  const url = new URL(world.sandbox.databaseUrl('xs2a_payments'));
  const pool = createPool({ url: url.href, name: 'large-bank', max: 8 });
  const keys = parseMasterKeys(
    readFileSync(join(world.dataDir, 'secrets/master-keys-payments'), 'utf8').trim(),
  );
  if (keys === undefined) throw new Error('no master keys');
  const store = createPaymentStore(pool, new Clock(true), createLogger('test', 'silent'), {
    MASTER_KEYS: keys,
  });
  const now = new Date().toISOString();
  const profile = makeProfile('sandbox');
  const startDate = addDays(at.slice(0, 10), 30);
  const sign = async (): Promise<void> => {
    const paymentId = newId();
    const events = signedOrderEvents(
      {
        order: bgnOrder('BG25XSBK92001000000001', 1250, 'BG26RZBB91551023456789'),
        schedule: { startDate, frequency: 'Monthly' },
      },
      { paymentId, now, profile },
    );
    await store.append({ streamId: paymentId, events, actor: 'test' });
  };
  for (let made = 0; made < orders; made += atOnce) await Promise.all(Array.from({ length: atOnce }, sign));
  await pool.end();
};

const run = async (env: Record<string, string> = {}, ...more: readonly string[]): Promise<Ran> =>
  ended(launch(world.dataDir, ['euro', 'switch', '--at', at, '--json', ...more], env));
const parse = ({ code, stdout, stderr }: Ran): Report => {
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Report;
};

/** Ten places at which the command is killed: after a page of payments, or after a batch of accounts. */
const kills = [
  'euro.settling',
  ...Array.from({ length: 3 }, () => 'euro.payments-converted'),
  ...Array.from({ length: 4 }, () => 'euro.accounts-converted'),
  'euro.rounded',
  'euro.announced',
];

describe('the switch-over of a large bank (contract E6.5)', () => {
  it(`converts ${accounts} accounts and ${orders} orders to the cent, although it is killed ten times`, async () => {
    await openAccounts();
    await signOrders();
    const expected = parse(await run({}, '--dry-run'));
    expect(expected.payments.orders).toBe(orders);
    expect(expected.accounts.converted).toBeGreaterThan(accounts);
    await world.advance('P1DT1S');
    for (const place of kills) expect((await run({ FAILPOINT: place })).code).toBeNull();
    const begun = performance.now();
    const { invariants, ...figures } = parse(await run());
    console.info(`the last run took ${Math.round(performance.now() - begun)} ms`, figures);
    expect(figures).toEqual({ ...expected, dryRun: false });
    expect(invariants).toBe('8 of 8');
  }, 1_200_000);
});
