import type { Pool } from 'pg';
import type { Schema } from './schemas.js';

interface Schemas {
  of(schema: Schema): Pool;
}

const findViolations = async (schemas: Schemas, text: string): Promise<string[]> => {
  const { rows } = await schemas.of('payments').query<{ violation: string }>(`${text} LIMIT 50`);
  return rows.map(({ violation }) => violation);
};

/** `table` with its schema. */
export const countRows = async (schemas: Schemas, table: `${string}.${string}`): Promise<number> => {
  const { rows } = await schemas.of('payments').query<{ count: number }>(`SELECT count(*) FROM ${table}`);
  return rows[0]?.count ?? 0;
};

/** SQL of the holds, posts and voids of each single payment in the ledger beside its events. */
const booked = `
  WITH booked AS (
    SELECT payment_id, count(*) FILTER (WHERE kind = 'hold') AS holds, count(*) FILTER (WHERE kind = 'post') AS posts,
      count(*) FILTER (WHERE kind = 'void') AS voids, min(amount) AS least, max(amount) AS most
    FROM accounts.transfer WHERE payment_id IS NOT NULL GROUP BY payment_id),
  told AS (
    SELECT stream_id, count(*) FILTER (WHERE type = 'settlement-started') AS started,
      count(*) FILTER (WHERE type = 'settled') AS settled
    FROM payments.events GROUP BY stream_id),
  payment AS (
    SELECT p.stream_id AS id, p.status, p.funds_available, (p.state->'order'->'amount'->>'minor')::bigint AS amount,
      coalesce(b.holds, 0) AS holds, coalesce(b.posts, 0) AS posts, coalesce(b.voids, 0) AS voids, b.least, b.most,
      t.started, t.settled
    FROM payments.payment_view p JOIN told t USING (stream_id) LEFT JOIN booked b ON b.payment_id = p.stream_id
    WHERE p.state->>'service' IS NULL)`;

/** Invariant 2 over two services: the ledger and the payments' events. */
export const bookingViolations = async (schemas: Schemas): Promise<string[]> => [
  ...(await findViolations(
    schemas,
    `${booked} SELECT 'payment ' || id || ' (' || status || ') has ' || holds || ' holds, ' || posts || ' posts, ' || voids
       || ' voids, ' || started || ' × started, ' || settled || ' × settled' AS violation
     FROM payment WHERE holds > 1 OR posts + voids > 1 OR started > 1 OR settled > 1
       OR (status = 'ACSC') <> (settled = 1) OR (status = 'ACSC' AND posts <> 1) OR (posts = 1 AND status NOT IN ('ACSP', 'ACSC'))
       OR (status = 'ACSP' AND holds <> 1)`,
  )),
  ...(await findViolations(
    schemas,
    `${booked} SELECT 'payment ' || id || ' is of ' || amount || ', its transfers of ' || least || ' to ' || most AS violation
     FROM payment WHERE least <> amount OR most <> amount`,
  )),
  ...(await findViolations(
    schemas,
    `SELECT 'payment ' || e.stream_id || ' names a posting that is not its own' AS violation
     FROM payments.events e WHERE e.type = 'settled' AND NOT EXISTS (
       SELECT FROM accounts.transfer t WHERE t.id = (e.data->>'postingId')::uuid AND t.kind = 'post'
         AND t.payment_id = e.stream_id)`,
  )),
];

/** Invariant 6, the part that the ledger answers: a payment that ended without money, or is not signed, holds none. */
export const debitViolations = async (schemas: Schemas): Promise<string[]> => [
  ...(await findViolations(
    schemas,
    `${booked} SELECT 'payment ' || id || ' ended as ' || status || ', yet ' || holds - voids || ' hold and ' || posts
       || ' post stand in the ledger' AS violation
     FROM payment WHERE (status IN ('CANC', 'RJCT') OR funds_available = false) AND (holds > voids OR posts > 0)`,
  )),
  ...(await findViolations(
    schemas,
    `SELECT DISTINCT 'payment ' || t.payment_id || ' is not signed, yet it has a transfer' AS violation
     FROM accounts.transfer t JOIN payments.payment_view p ON p.stream_id = t.payment_id
     WHERE NOT EXISTS (SELECT FROM payments.events e WHERE e.stream_id = t.payment_id AND e.type = 'signed')`,
  )),
];

/** Invariant 8: no 24 hours with more counted calls than the consent allows. */
export const windowViolations = async (schemas: Schemas): Promise<string[]> =>
  findViolations(
    schemas,
    `SELECT DISTINCT 'consent ' || w.consent_id || ', ' || w.endpoint || ': more than ' || w.most || ' calls in 24 hours' AS violation
     FROM consents.access_window w CROSS JOIN unnest(w.calls) AS first
     WHERE (SELECT count(*) FROM unnest(w.calls) AS call WHERE call >= first AND call < first + 86400000000) > w.most`,
  );

/** True if the ledger is the sandbox bank's. Its tables are in every deployment; with a bank's own core they have no accounts. */
export const hasLedger = async (schemas: Schemas): Promise<boolean> => {
  const { rows } = await schemas
    .of('payments')
    .query<{ exists: boolean }>('SELECT EXISTS (SELECT FROM accounts.account) AS exists');
  return rows[0]?.exists === true;
};

/** Invariant 2 where the ledger is a core bank's own: what the payments' events say. */
export const eventOnlyViolations = async (schemas: Schemas): Promise<string[]> =>
  findViolations(
    schemas,
    `SELECT 'payment ' || stream_id || ' has ' || count(*) || ' × ' || type AS violation
     FROM payments.events WHERE type IN ('settlement-started', 'settled') GROUP BY stream_id, type HAVING count(*) > 1`,
  );

/** SQL of the kept answers to repeatable requests whose resource is missing. */
const promised = (schema: 'payments' | 'consents', id: 'paymentId' | 'consentId', view: string): string =>
  `SELECT '${id} ' || (a.answer->>'${id}') || ' was acknowledged and is lost' AS violation
   FROM ${schema}.attempt a WHERE a.answer->>'${id}' IS NOT NULL
     AND NOT EXISTS (SELECT FROM ${schema}.${view} v WHERE v.stream_id = (a.answer->>'${id}')::uuid)`;

/** Invariant 3 as the database tells it: each answer that was given to an idempotency key leads to a resource. */
export const forgottenAnswers = async (
  schemas: Schemas,
): Promise<{ readonly answers: number; readonly violations: readonly string[] }> => ({
  answers: (await countRows(schemas, 'payments.attempt')) + (await countRows(schemas, 'consents.attempt')),
  violations: [
    ...(await findViolations(schemas, promised('payments', 'paymentId', 'payment_view'))),
    ...(await findViolations(schemas, promised('consents', 'consentId', 'consent_view'))),
  ],
});
