import type { PaymentOrder } from '@xs2a/domain/payment/payment-events';
import {
  decryptStored,
  placeOfEvent,
  streamKeyOf,
  unwrapped,
} from '@xs2a/event-store/encryption/stream-keys';
import type { MasterKeys } from '@xs2a/runtime/master-keys';
import type { Pool } from 'pg';
import type { Schema } from '@xs2a/invariants/schemas';

/** A signed payment as described by its events. Positions are log positions; amounts are in minor units. */
interface SignedPayment {
  readonly id: string;
  readonly due_at: Date;
  readonly debtor: string;
  readonly creditor: string;
  readonly amount: number;
  /** The amount plus the fee, in the currency of the debtor account. */
  readonly debit: number;
  readonly signed: number;
  readonly started: number | null;
  /** The log position of the refusal for lack of funds; null if there was none. */
  readonly refused: number | null;
}

const payments = `
  SELECT e.stream_id AS id, (e.data->>'dueAt')::timestamptz AS due_at, e.event_id, e.data, ${streamKeyOf('e')} AS stream_key,
    (e.data->'order'->'amount'->>'minor')::bigint AS amount,
    coalesce(e.data->'order'->'debit'->>'minor', e.data->'order'->'amount'->>'minor')::bigint
      + coalesce(e.data->'order'->'fee'->>'minor', '0')::bigint AS debit, l.pos AS signed
  FROM events e JOIN log l USING (stream_id, version) WHERE e.type = 'signed'`;

const decisions = `
  SELECT e.stream_id AS id, e.type, e.data->>'reason' AS reason, l.pos
  FROM events e JOIN log l USING (stream_id, version) WHERE e.type = 'settlement-started'
    OR e.type = 'funds-refused'
      AND NOT EXISTS (SELECT FROM lost_event lost WHERE lost.stream_id = e.stream_id AND lost.type = e.type)`;

/** SQL for the funds of each account before any payment: its credit limit plus deposits. */
const openings = `
  SELECT a.iban, l.credit_limit + coalesce(d.sum, 0)::bigint AS minor
  FROM account a JOIN ledger_account l USING (id) LEFT JOIN (
    SELECT account, sum(amount) AS sum FROM (
      SELECT credit_account AS account, amount FROM transfer WHERE kind = 'direct'
      UNION ALL SELECT debit_account, -amount FROM transfer WHERE kind = 'direct') AS moved
    GROUP BY account) AS d ON d.account = l.id`;

interface SignedRow extends Omit<SignedPayment, 'debtor' | 'creditor' | 'started' | 'refused'> {
  readonly event_id: string;
  readonly data: unknown;
  readonly stream_key: Buffer | null;
}

/** Reads the accounts of a payment, which are encrypted in its event. */
const readParties = (
  { id: streamId, event_id: eventId, data, stream_key }: SignedRow,
  masterKeys: MasterKeys,
): Pick<SignedPayment, 'debtor' | 'creditor'> => {
  const key = unwrapped(stream_key, { masterKeys });
  const { order } = decryptStored(data, { streamId, place: placeOfEvent(eventId), key }) as {
    readonly order?: Partial<PaymentOrder>;
  };
  return { debtor: order?.debtorIban ?? '', creditor: order?.creditorAccount ?? '' };
};

const readSignedPayments = async (pool: Pool, masterKeys: MasterKeys): Promise<SignedPayment[]> => {
  const { rows } = await pool.query<SignedRow>(payments);
  const { rows: decided } = await pool.query<{
    id: string;
    type: string;
    reason: string | null;
    pos: number;
  }>(decisions);
  const started = new Map<string, number>();
  const refused = new Map<string, number>();
  for (const { id, type, reason, pos } of decided) {
    if (type === 'settlement-started') started.set(id, pos);
    else if (reason === 'insufficient-funds') refused.set(id, pos);
  }
  return rows.map((row) => ({
    ...row,
    ...readParties(row, masterKeys),
    started: started.get(row.id) ?? null,
    refused: refused.get(row.id) ?? null,
  }));
};

const isEarlier = (one: SignedPayment, other: SignedPayment): boolean => {
  const difference = one.due_at.getTime() - other.due_at.getTime();
  return difference < 0 || (difference === 0 && one.id < other.id);
};

/**
 * Returns one sentence for each payment that was refused for lack of funds although it would have been covered if
 * payments had been settled one at a time in the order of (due time, id). The funds available on the refused
 * payment's account are:
 * - the deposits and the credit limit;
 * - plus settled payments to the account that come earlier in that order, if they were signed before the refusal;
 * - less settled payments from the account that come earlier, or whose settlement began before the refused payment
 * was signed. A refusal that the database lost and the service appended again (ADR 35) is not judged, because the
 * payments on which it was decided may be lost too. The ledger is that of the sandbox bank, and deposits are made before the payments begin.
 */
export const wronglyRefusedPayments = async (
  schemas: { of(schema: Schema): Pool },
  masterKeys: MasterKeys,
): Promise<readonly string[]> => {
  const all = await readSignedPayments(schemas.of('payments'), masterKeys);
  const { rows } = await schemas.of('accounts').query<{ iban: string; minor: number }>(openings);
  const opening = new Map(rows.map(({ iban, minor }) => [iban, minor]));
  const settled = all.filter(({ started }) => started !== null);
  const to = Map.groupBy(settled, ({ creditor }) => creditor);
  const from = Map.groupBy(settled, ({ debtor }) => debtor);
  return all.flatMap((payment) => {
    const { id, debtor, debit, refused } = payment;
    const before = opening.get(debtor);
    if (refused === null || before === undefined) return [];
    let available = before;
    for (const one of to.get(debtor) ?? [])
      if (isEarlier(one, payment) && one.signed < refused) available += one.amount;
    for (const one of from.get(debtor) ?? [])
      if (isEarlier(one, payment) || (one.started ?? 0) < payment.signed) available -= one.debit;
    return available < debit
      ? []
      : [`payment ${id} of ${debit} was refused, although ${available} was available at the time`];
  });
};
