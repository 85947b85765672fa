import { deriveBookingId } from '@xs2a/runtime/booking-ids';
import { keyRanges } from '@xs2a/postgres/key-ranges';
import type { Pool } from 'pg';
import { isVoidedLater } from './instant-checks.js';
import { countRows, findViolations, inPage, paymentEvents, type Schemas } from './paged.js';

/**
 * SQL that reads a page of events and returns the status changes of periodic-order occurrences and bulk-payment
 * entries.
 */
const countedSteps = `
  SELECT stream_id, (data->>'number')::int AS number,
    count(*) FILTER (WHERE type = 'transaction-planned') AS planned,
    count(*) FILTER (WHERE type = 'transaction-started') AS started,
    count(*) FILTER (WHERE type = 'transaction-settled') AS settled,
    count(*) FILTER (WHERE type = 'transaction-refused') AS refused,
    count(*) FILTER (WHERE type = 'transaction-rejected') AS rejected,
    min(data->>'holdId') AS hold_id
  FROM payments.events WHERE ${inPage('stream_id')} AND type LIKE 'transaction-%' GROUP BY stream_id, (data->>'number')::int`;

/** SQL that counts the holds, posts and voids booked under one id, or under each id if none is given. */
const bookedUnder = (id?: string): string => `
  SELECT payment_id, count(*) FILTER (WHERE kind = 'hold') AS holds, count(*) FILTER (WHERE kind = 'post') AS posts,
    count(*) FILTER (WHERE kind = 'void') AS voids, min(amount) AS least, max(amount) AS most
  FROM accounts.transfer WHERE ${id === undefined ? 'payment_id IS NOT NULL' : `payment_id = ${id}`} AND leg = 'payment' GROUP BY payment_id`;

/** The id under which a transaction is booked appears only in its recorded hold. */
const transactions = `
  WITH counted AS (${countedSteps}),
  transaction AS (
    SELECT t.*, h.payment_id, coalesce(b.holds, 0) AS holds, coalesce(b.posts, 0) AS posts, coalesce(b.voids, 0) AS voids,
      b.least, b.most, 'transaction ' || t.number || ' of ' || t.stream_id AS name,
      (CASE WHEN p.state->>'service' = 'bulk-payments' THEN p.state->'orders'->(t.number - 1) ELSE p.state->'order' END
        ->'amount'->>'minor')::bigint AS amount
    FROM counted t JOIN payments.payment_view p USING (stream_id)
    LEFT JOIN accounts.transfer h ON h.id = t.hold_id::uuid AND h.kind = 'hold'
    LEFT JOIN LATERAL (${bookedUnder('h.payment_id')}) AS b ON true)`;

/**
 * Invariant 2 for occurrences and entries, across two services: each is booked exactly once, with the ordered
 * amount.
 */
export const transactionViolations = async (schemas: Schemas): Promise<string[]> => [
  ...(await eventOnlyTransactionViolations(schemas)),
  ...(await findViolations(
    schemas,
    paymentEvents,
    `${transactions} SELECT name || ' has ' || holds || ' holds, ' || posts || ' posts, ' || voids || ' voids, ' || settled
       || ' × settled, ' || rejected || ' × rejected' AS violation
     FROM transaction WHERE started > 0 AND (holds <> 1 OR posts <> settled OR voids > rejected
       OR (voids < rejected AND NOT ${isVoidedLater('transaction.payment_id')}))`,
  )),
  ...(await findViolations(
    schemas,
    paymentEvents,
    `${transactions} SELECT name || ' is of ' || amount || ', its transfers of ' || least || ' to ' || most AS violation
     FROM transaction WHERE least <> amount OR most <> amount`,
  )),
  ...(await bookedUnderAnother(schemas)),
  ...(await violationsWithoutEvent(schemas)),
];

/** Returns a violation for each transaction that shares a hold with another transaction. */
const bookedUnderAnother = async (schemas: Schemas): Promise<string[]> => {
  interface Booked {
    readonly paymentId: string;
    readonly number: number;
    readonly id: string;
    readonly name: string;
  }
  const pool = schemas.of('payments');
  const found: string[] = [];
  for await (const page of keyRanges(pool, paymentEvents)) {
    const { rows } = await pool.query<Booked>(
      `${transactions} SELECT stream_id AS "paymentId", number, payment_id AS id, name FROM transaction WHERE payment_id IS NOT NULL`,
      [...page],
    );
    const wrong = rows.filter((part) => deriveBookingId(part) !== part.id);
    found.push(
      ...wrong.map(({ name, id }) => `${name} names the hold ${id}, which belongs to another payment`),
    );
  }
  return found.slice(0, 50);
};

/** Invariant 2 for occurrences and entries when an external core bank keeps the ledger: checks only their events. */
export const eventOnlyTransactionViolations = async (schemas: Schemas): Promise<string[]> => [
  ...(await findViolations(
    schemas,
    paymentEvents,
    `SELECT 'transaction ' || number || ' of ' || stream_id || ' has ' || planned || ' × planned, ' || started || ' × started, '
       || settled || ' × settled, ' || refused || ' × refused, ' || rejected || ' × rejected' AS violation
     FROM (${countedSteps}) AS counted WHERE greatest(planned, started, settled + refused + rejected) > 1 OR settled > started`,
  )),
  ...(await findViolations(
    schemas,
    paymentEvents,
    `SELECT 'transaction ' || number || ' of ' || stream_id || ' was left out' AS violation
     FROM (SELECT *, max(number) OVER (PARTITION BY stream_id) AS newest,
         lag(number, 1, 0) OVER (PARTITION BY stream_id ORDER BY number) AS before
       FROM (${countedSteps}) AS counted WHERE planned > 0) AS planned
     WHERE before <> number - 1 OR (number < newest AND settled + refused = 0)`,
  )),
];

/**
 * Checks transfers that belong neither to a payment nor to a recorded hold. Each must be the released hold of a
 * cancelled occurrence or entry; any other is a violation. Excludes transfers of archived and erased payments. The
 * ids under which occurrences and entries are booked do not contain a month, so those transfers are excluded once
 * any month is archived.
 */
const violationsWithoutEvent = async (schemas: Schemas): Promise<string[]> => {
  const pool = schemas.of('payments');
  const { rows } = await pool.query<{ id: string; holds: number; posts: number; voids: number }>(
    `WITH booked AS (${bookedUnder()}), started AS MATERIALIZED (
       SELECT h.payment_id FROM payments.events e JOIN accounts.transfer h ON h.id = (e.data->>'holdId')::uuid
       WHERE e.type = 'transaction-started'
     )
     SELECT b.payment_id AS id, b.holds, b.posts, b.voids FROM booked b
     WHERE NOT EXISTS (SELECT FROM payments.payment_view p WHERE p.stream_id = b.payment_id)
       AND NOT EXISTS (SELECT FROM started s WHERE s.payment_id = b.payment_id)
       AND NOT EXISTS (SELECT FROM payments.archived_month m WHERE uuid_extract_version(b.payment_id) <> 7
         OR m.month = to_char(uuid_extract_timestamp(b.payment_id) AT TIME ZONE 'UTC', 'YYYY-MM'))
       AND NOT EXISTS (SELECT FROM payments.stream_key k WHERE k.stream_id = b.payment_id AND k.erased_at IS NOT NULL)
       AND NOT ${isVoidedLater('b.payment_id')}
     LIMIT 1000`,
  );
  if (rows.length === 0) return [];
  const known = await bookingIds(pool);
  return rows.flatMap(({ id, holds, posts, voids }) => {
    const name = known.get(id);
    if (name === undefined) return [`transfers of ${id} belong to no payment`];
    return posts > 0 || holds !== voids
      ? [`${name} has ${holds} holds, ${posts} posts, ${voids} voids, and was not started`]
      : [];
  });
};

/** The ids under which the occurrences and entries of signed initiations are booked, mapped to a name for each. */
const bookingIds = async (pool: Pool): Promise<Map<string, string>> => {
  const { rows } = await pool.query<{ paymentId: string; number: number }>(
    `SELECT stream_id AS "paymentId", (data->>'number')::int AS number FROM events WHERE type = 'transaction-planned'
     UNION ALL SELECT stream_id, generate_series(1, json_array_length(state->'orders')) FROM payment_view
       WHERE state->>'service' = 'bulk-payments' AND state->'signed' IS NOT NULL
     UNION ALL SELECT e.stream_id, generate_series(1, json_array_length(e.data->'orders')) FROM stream_key k
       JOIN events e ON e.stream_id = k.stream_id WHERE k.erased_at IS NOT NULL AND e.type = 'bulk-initiated'`,
  );
  return new Map(
    rows.map((part) => [deriveBookingId(part), `transaction ${part.number} of ${part.paymentId}`] as const),
  );
};

/** The number of occurrences and entries that have been settled. */
export const countSettledTransactions = async (schemas: Schemas): Promise<number> =>
  countRows(schemas, paymentEvents, "type = 'transaction-settled'");
