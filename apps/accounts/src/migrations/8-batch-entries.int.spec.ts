import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HoldOrder } from '@xs2a/contracts/accounts.contract';
import { deriveHoldId } from '@xs2a/core-banking/port/booking-keys';
import { Ledger } from '@xs2a/core-banking/sandbox/ledger/ledger';
import { toClearingAccount } from '@xs2a/core-banking/sandbox/ledger/ledger-ids';
import { deriveDebtorEntryId, toTransactionId } from '@xs2a/runtime/booking-ids';
import { ledgerViolations } from '@xs2a/core-banking/sandbox/ledger/ledger-invariants';
import { withoutBatchEntries } from '@xs2a/core-banking/sandbox/sandbox-bank.tables';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { type OldRelease, oldRelease } from '@xs2a/migrations/testing/old-release';
import { runMigrations } from '@xs2a/migrations/run-migrations';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { migrations, schema } from './index.js';

let old: OldRelease;
beforeAll(async () => {
  old = await oldRelease(schema);
}, 60_000);
afterAll(async () => old.close());

const debtorIban = 'BG25XSBK92001000000001';
const debtorId = newId();
const outgoing = toClearingAccount('outgoing', 'BGN');
const makeOrder = (paymentId: string, batchId?: string): HoldOrder => ({
  paymentId,
  batchId,
  order: {
    amount: { minor: 100, currency: 'BGN' },
    debtorIban,
    creditorAccount: 'BG26RZBB91551023456789',
    creditorName: 'Petar Ivanov',
    remittance: 'rent',
  },
});

/** A customer with 10.00, of which `held` payments of 1.00 are held, as the release before batch entries stored them. */
const storeOld = async (held: readonly string[]): Promise<void> => {
  const incoming = toClearingAccount('incoming', 'BGN');
  await old.owner.query(
    `INSERT INTO ledger_account (id, currency, customer, credits_posted, debits_pending)
     VALUES ($1, 'BGN', true, 1000, $4), ($2, 'BGN', false, 0, 0), ($3, 'BGN', false, 0, 0)`,
    [debtorId, outgoing, incoming, held.length * 100],
  );
  await old.owner.query(`INSERT INTO psu (psu_id, name, password_hash) VALUES ('ivan', 'Ivan', '')`);
  await old.owner.query(
    `INSERT INTO account (id, iban, type, product, status, main, psu_id) VALUES ($1, $2, 'CACC', 'p', 'enabled', true, 'ivan')`,
    [debtorId, debtorIban],
  );
  await old.owner.query(
    `INSERT INTO transfer (id, kind, debit_account, credit_account, amount, at) VALUES ($1, 'direct', $2, $3, 1000, now())`,
    [newId(), incoming, debtorId],
  );
  for (const paymentId of held) {
    await old.owner.query(
      `INSERT INTO transfer (id, kind, payment_id, debit_account, credit_account, amount, at)
       VALUES ($1, 'hold', $2, $3, $4, 100, now())`,
      [deriveHoldId(paymentId), paymentId, debtorId, outgoing],
    );
    await old.owner.query(
      `INSERT INTO entry (transaction_id, account_id, transfer_id, amount, value_date, pending_at, book_at, details)
       VALUES ($1, $2, $3, -100, current_date, now(), now(), '{}')`,
      [deriveDebtorEntryId(paymentId), debtorId, deriveHoldId(paymentId)],
    );
  }
};
const amounts = async (): Promise<number[]> =>
  (await old.owner.query<{ amount: number }>('SELECT amount FROM entry ORDER BY amount')).rows.map(
    ({ amount }) => amount,
  );

describe('holds from before batches were booked as one entry', () => {
  it('are answered, posted and voided as before, beside the first batch', async () => {
    await runMigrations({ url: old.ownerUrl, schema, migrations: migrations.slice(0, 7) });
    const [toPost, toVoid] = [newId(), newId()];
    await storeOld([toPost, toVoid]);
    await runMigrations({ url: old.ownerUrl, schema, migrations });
    const profile = makeProfile('sandbox');
    const ledger = new Ledger({ pool: old.pool, clock: new Clock(true), profile, bankCode: 'XSBK' });
    expect(await ledgerViolations(old.pool)).toEqual([]);
    expect(await ledger.placeHolds([makeOrder(toPost), makeOrder(toVoid)])).toMatchObject(
      [toPost, toVoid].map((paymentId) => ({
        transactionId: toTransactionId(deriveDebtorEntryId(paymentId)),
      })),
    );
    expect(await ledger.postHolds([toPost])).toMatchObject([{ posted: true }]);
    await ledger.voidHolds([toVoid]);
    const batchId = newId();
    const [one, other] = [newId(), newId()];
    await ledger.placeHolds([makeOrder(one, batchId), makeOrder(other, batchId)]);
    expect(await amounts()).toEqual([-200, -100]);
    expect(await ledgerViolations(old.pool)).toEqual([]);

    await expect(old.owner.query(withoutBatchEntries)).rejects.toMatchObject({ code: '23502' });
    await ledger.voidHolds([one, other]);
    await old.owner.query(withoutBatchEntries);
    expect(await amounts()).toEqual([-100]);
  });
});
