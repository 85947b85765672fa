import type { HoldOrder, HoldResult } from '@xs2a/contracts/accounts.contract';
import { getDebit } from '@xs2a/domain/payment/pricing/price-order';
import type { Profile } from '@xs2a/domain/profile/profile';
import { lastInstantBefore } from '@xs2a/domain/switch-over/switch-over-phase';
import { addSeconds, toBankDate } from '@xs2a/domain/time/bank-calendar';
import { binaryArray } from '@xs2a/postgres/binary-array';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Clock } from '@xs2a/runtime/clock';
import type { ClientBase, Pool } from 'pg';
import { deriveHoldId, derivePostId } from '../../port/booking-keys.js';
import type { BookingPort, PostResult } from '../../port/booking.js';
import {
  addToBatchEntries,
  type EntryTimes,
  openBatchEntries,
  takeFromBatchEntries,
} from './batch-entries.js';
import { bankTransactionCodes } from '../data/bank-transaction-codes.js';
import { type LockedAccount, type PlannedHold, planHolds } from './hold-plan.js';
import { deriveCreditorEntryId, deriveFeeEntryId, type Leg, legs, deriveTransferId } from './ledger-ids.js';
import { deriveDebtorEntryId } from '@xs2a/runtime/booking-ids';
import { readSwitchOver } from '../switch-over/switch-over-setting.js';
import type { Entry } from './entry.js';
import {
  bookEntriesAt,
  insertEntries,
  insertTransfers,
  moveCounters,
  type Transfer,
} from './ledger-writes.js';

interface LedgerOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly profile: Profile;
  /** The four letters that identify this bank in its IBANs. */
  readonly bankCode: string;
}

/** The time of a booking (ISO instants). */
interface BookingTime {
  readonly at: string;
  /** The time at which a debtor's entry is booked. */
  readonly bookAt: string;
  /** True if the booking is one of the last in leva, whose entries are all booked at once. */
  readonly isLast: boolean;
}

/** A stored hold, with the post or void that completed it. */
interface Hold {
  readonly paymentId: string;
  readonly leg: Leg;
  readonly debitAccount: string;
  readonly creditAccount: string;
  readonly amount: number;
  /** True for an instant payment, whose entry is booked when it is posted. */
  readonly instant: boolean;
}

/**
 * The ledger of the sandbox bank, with two-phase double-entry bookkeeping. Accounts are always locked in id order
 * and in one statement, so that batches cannot deadlock. Earlier bookings are read only while these locks are
 * held.
 */
export class Ledger implements BookingPort {
  constructor(private readonly options: LedgerOptions) {}

  async placeHolds(orders: readonly HoldOrder[]): Promise<readonly HoldResult[]> {
    return inTransaction(this.options.pool, async (client) => {
      const ibans = orders.flatMap(({ order }) => [order.debtorIban, order.creditorAccount]);
      const accounts = await lockByIban(client, [...new Set(ibans)]);
      const time = await this.bookingTime(client);
      const { at } = time;
      const before = {
        entryOfHold: await entriesOfHolds(
          client,
          orders.map(({ paymentId }) => deriveHoldId(paymentId)),
        ),
        openBatchEntries: await openBatchEntries(
          client,
          orders.map(({ batchId }) => batchId),
          at,
        ),
      };
      const { results, holds } = planHolds(orders, accounts, before, this.options.bankCode);
      await this.write(
        client,
        holds.map((hold) => ({
          id: deriveTransferId('hold', hold.leg, hold.paymentId),
          kind: 'hold' as const,
          paymentId: hold.paymentId,
          leg: hold.leg,
          debitAccount: hold.debitAccount,
          creditAccount: hold.creditAccount,
          amount: hold.amount,
          at,
        })),
      );
      const { timeZone } = this.options.profile;
      const times = { valueDate: toBankDate(at, timeZone), pendingAt: at, bookAt: time.bookAt };
      await insertEntries(client, debtorEntries(holds, times), timeZone);
      await addToBatchEntries(client, holds, times, timeZone);
      return results;
    });
  }

  async postHolds(paymentIds: readonly string[]): Promise<readonly PostResult[]> {
    const posted = await inTransaction(this.options.pool, async (client) => {
      const { open, posted: before } = await this.lockHolds(client, paymentIds);
      const time = await this.bookingTime(client);
      const { at } = time;
      await this.write(
        client,
        open.map((hold) => completion('post', hold, at)),
      );
      await this.bookInstant(client, open, at);
      await insertEntries(
        client,
        await this.creditorEntries(client, open, time),
        this.options.profile.timeZone,
      );
      return new Set([...before, ...open.map((hold) => hold.paymentId)]);
    });
    return paymentIds.map((paymentId) =>
      posted.has(paymentId)
        ? { paymentId, posted: true, postingId: derivePostId(paymentId) }
        : { paymentId, posted: false },
    );
  }

  async voidHolds(paymentIds: readonly string[]): Promise<void> {
    await inTransaction(this.options.pool, async (client) => {
      const { open } = await this.lockHolds(client, paymentIds);
      const time = await this.bookingTime(client);
      const { at } = time;
      await this.write(
        client,
        open.map((hold) => completion('void', hold, at)),
      );
      await client.query({
        name: 'ledger-remove-entries',
        text: 'DELETE FROM entry WHERE transaction_id = ANY($1::uuid[])',
        values: [
          open.flatMap(({ paymentId }) => [deriveDebtorEntryId(paymentId), deriveFeeEntryId(paymentId)]),
        ],
      });
      await takeFromBatchEntries(
        client,
        open.map(({ paymentId }) => paymentId),
        this.options.profile.timeZone,
      );
    });
  }

  /**
   * Reads the holds before locking, because holds never change and they determine which accounts to lock. Reads
   * their completions (posts and voids) while the locks are held.
   */
  private async lockHolds(
    client: ClientBase,
    paymentIds: readonly string[],
  ): Promise<{ open: Hold[]; posted: Set<string> }> {
    const { rows: holds } = await client.query<Hold>({
      name: 'ledger-read-holds',
      text: `SELECT payment_id AS "paymentId", leg, debit_account AS "debitAccount", credit_account AS "creditAccount", amount,
          EXISTS (SELECT FROM instant_order i WHERE i.payment_id = transfer.payment_id) AS instant
        FROM transfer WHERE id = ANY($1::uuid[])`,
      values: [
        binaryArray(
          'uuid',
          [...new Set(paymentIds)].flatMap((paymentId) =>
            legs.map((leg) => deriveTransferId('hold', leg, paymentId)),
          ),
        ),
      ],
    });
    await client.query({
      name: 'ledger-lock-accounts',
      text: 'SELECT id FROM ledger_account WHERE id = ANY($1::uuid[]) AND customer ORDER BY id FOR NO KEY UPDATE',
      values: [
        binaryArray('uuid', [...new Set(holds.flatMap((hold) => [hold.debitAccount, hold.creditAccount]))]),
      ],
    });
    // The legs of a payment are posted or voided together, so the state of the payment leg applies to all of
    // them.
    const paid = holds.filter(({ leg }) => leg === 'payment').map(({ paymentId }) => deriveHoldId(paymentId));
    const { rows: completed } = await client.query<{ paymentId: string; kind: 'post' | 'void' }>({
      name: 'ledger-read-completions',
      text: `SELECT payment_id AS "paymentId", kind FROM transfer WHERE pending_id = ANY($1::uuid[])`,
      values: [binaryArray('uuid', paid)],
    });
    const ended = new Set(completed.map(({ paymentId }) => paymentId));
    const posted = completed.filter(({ kind }) => kind === 'post').map(({ paymentId }) => paymentId);
    return { open: holds.filter(({ paymentId }) => !ended.has(paymentId)), posted: new Set(posted) };
  }

  private async write(client: ClientBase, transfers: readonly Transfer[]): Promise<void> {
    await insertTransfers(client, transfers);
    await moveCounters(client, transfers);
  }

  /** Books the debtors' entries of instant payments now; those of other payments stay pending for a while. */
  private async bookInstant(client: ClientBase, holds: readonly Hold[], at: string): Promise<void> {
    const ids = holds
      .filter(({ instant }) => instant)
      .flatMap(({ paymentId }) => [deriveDebtorEntryId(paymentId), deriveFeeEntryId(paymentId)]);
    if (ids.length > 0) await bookEntriesAt(client, ids, at, this.options.profile.timeZone);
  }

  /** The time of a booking: now or, for what the switch-over to euro settles in leva, the last instant before it. */
  private async bookingTime(client: ClientBase): Promise<BookingTime> {
    const { clock, profile } = this.options;
    const switchOver = await readSwitchOver(client);
    const at = clock.now();
    if (switchOver?.phase !== 'settling' || at < switchOver.at)
      return { at, bookAt: addSeconds(at, profile.bookingDelaySeconds), isLast: false };
    const last = lastInstantBefore(switchOver.at);
    return { at: last, bookAt: last, isLast: true };
  }

  /** Creates the entries of creditors at this bank. They are booked at the same time as the debtors' entries. */
  private async creditorEntries(
    client: ClientBase,
    holds: readonly Hold[],
    { at, isLast }: BookingTime,
  ): Promise<Entry[]> {
    const valueDate = toBankDate(at, this.options.profile.timeZone);
    const sources = await readCreditorSources(client, holds);
    return sources.map((source) => ({
      entryId: deriveCreditorEntryId(source.paymentId),
      accountId: source.creditAccount,
      transferId: deriveTransferId('post', source.leg, source.paymentId),
      amount: source.amount,
      currency: source.currency,
      counterpartyName: source.debtorName,
      counterpartyAccount: source.debtorIban,
      remittance: source.remittance ?? undefined,
      endToEndId: source.endToEndId ?? undefined,
      bankTransactionCode: bankTransactionCodes.transferIn,
      valueDate,
      pendingAt: at,
      bookAt: isLast ? at : new Date(Math.max(source.bookAt.getTime(), Date.parse(at))).toISOString(),
    }));
  }
}

/** Creates the debtors' entries, except batch entries (batch-entries.ts). */
const debtorEntries = (holds: readonly PlannedHold[], times: EntryTimes): Entry[] =>
  holds.flatMap((hold): Entry[] => {
    const { paymentId, leg, debitAccount, amount, order, batchId } = hold;
    if (leg === 'exchange' || (leg === 'payment' && batchId !== undefined)) return [];
    const transferId = deriveTransferId('hold', leg, paymentId);
    const { endToEndId } = order;
    const { currency } = getDebit(order);
    const moved = { accountId: debitAccount, transferId, amount: -amount, currency, endToEndId };
    return [{ ...debtorEntryText[leg](hold), ...times, ...moved }];
  });

/** The text of the debtor's entry for each leg that the history shows. */
const debtorEntryText: Readonly<
  Record<Exclude<Leg, 'exchange'>, (hold: PlannedHold) => Partial<Entry> & { readonly entryId: string }>
> = {
  payment: ({ entryId, order }) => ({
    entryId,
    counterpartyName: order.creditorName,
    counterpartyAccount: order.creditorAccount,
    remittance: order.remittance,
    bankTransactionCode: bankTransactionCodes.transferOut,
  }),
  fee: ({ paymentId }) => ({
    entryId: deriveFeeEntryId(paymentId),
    remittance: feeText,
    bankTransactionCode: bankTransactionCodes.charge,
  }),
};
const feeText = 'Такса за превод';

const completion = (kind: 'post' | 'void', hold: Hold, at: string): Transfer => ({
  id: deriveTransferId(kind, hold.leg, hold.paymentId),
  kind,
  paymentId: hold.paymentId,
  leg: hold.leg,
  pendingId: deriveTransferId('hold', hold.leg, hold.paymentId),
  debitAccount: hold.debitAccount,
  creditAccount: hold.creditAccount,
  amount: hold.amount,
  at,
});

const lockByIban = async (client: ClientBase, ibans: readonly string[]): Promise<LockedAccount[]> => {
  const { rows } = await client.query<LockedAccount>({
    name: 'ledger-lock-by-iban',
    text: `SELECT l.id, a.iban, l.currency, a.status,
        l.credits_posted + l.credit_limit - l.debits_posted - l.debits_pending AS available,
        9007199254740991 - l.credits_posted - l.credits_pending - l.credit_limit AS "creditRoom",
        a.instant_limit AS "instantLimit"
      FROM account a JOIN ledger_account l ON l.id = a.id
      WHERE a.iban = ANY($1::text[]) ORDER BY l.id FOR NO KEY UPDATE OF l`,
    values: [ibans],
  });
  return rows;
};

/** Finds the debtor's entry of each of these holds, if one exists, whether the hold was posted, voided or neither. */
const entriesOfHolds = async (
  client: ClientBase,
  holdIds: readonly string[],
): Promise<Map<string, string>> => {
  const { rows } = await client.query<{ holdId: string; paymentId: string; batchEntryId: string | null }>({
    name: 'ledger-entries-of-holds',
    text: `SELECT t.id AS "holdId", t.payment_id AS "paymentId", b.entry_id AS "batchEntryId"
      FROM transfer t LEFT JOIN batch_payment b ON b.hold_id = t.id WHERE t.id = ANY($1::uuid[])`,
    values: [binaryArray('uuid', holdIds)],
  });
  return new Map(
    rows.map(({ holdId, paymentId, batchEntryId }) => [
      holdId,
      batchEntryId ?? deriveDebtorEntryId(paymentId),
    ]),
  );
};

interface CreditorSource extends Omit<Hold, 'instant'> {
  readonly currency: string;
  readonly debtorName: string;
  readonly debtorIban: string;
  readonly remittance: string | null;
  readonly endToEndId: string | null;
  readonly bookAt: Date;
}

/**
 * Reads the payer and the text of the payment, which a batch entry does not contain, for the holds whose creditor
 * is a customer of this bank.
 */
const readCreditorSources = async (client: ClientBase, holds: readonly Hold[]): Promise<CreditorSource[]> => {
  if (holds.length === 0) return [];
  const { rows } = await client.query<CreditorSource>({
    name: 'ledger-creditor-sources',
    text: `SELECT h.payment_id AS "paymentId", h.leg, h.debit_account AS "debitAccount", h.credit_account AS "creditAccount",
        h.amount, l.currency, d.iban AS "debtorIban", coalesce(c.name, p.name) AS "debtorName",
        coalesce(b.remittance, e.remittance) AS remittance, coalesce(b.end_to_end_id, e.end_to_end_id) AS "endToEndId",
        e.book_at AS "bookAt"
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS ids (hold_id, entry_id, payment_hold_id)
      JOIN transfer h ON h.id = ids.hold_id
      JOIN account creditor ON creditor.id = h.credit_account
      JOIN ledger_account l ON l.id = h.credit_account
      LEFT JOIN batch_payment b ON b.hold_id = ids.payment_hold_id
      JOIN entry e ON e.transaction_id = coalesce(b.entry_id, ids.entry_id)
      JOIN account d ON d.id = e.account_id
      LEFT JOIN psu p ON p.psu_id = d.psu_id
      LEFT JOIN corporate c ON c.corporate_id = d.corporate_id`,
    values: [
      binaryArray(
        'uuid',
        holds.map((hold) => deriveTransferId('hold', hold.leg, hold.paymentId)),
      ),
      binaryArray(
        'uuid',
        holds.map((hold) => deriveDebtorEntryId(hold.paymentId)),
      ),
      binaryArray(
        'uuid',
        holds.map((hold) => deriveHoldId(hold.paymentId)),
      ),
    ],
  });
  return rows;
};
