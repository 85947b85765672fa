import { isVoidedLater } from './instant-checks.js';
import { findViolations, inPage, type Paged, paymentEvents, payments, type Schemas } from './paged.js';

/** SQL that returns the ledger's holds, posts and voids for each single payment of a page, and the payment's events. */
const booked = `
  WITH payment AS (
    SELECT p.stream_id AS id, p.status, p.funds_available, (p.state->'order'->'amount'->>'minor')::bigint AS amount, b.*, t.*
    FROM payments.payment_view p, LATERAL (
      SELECT count(*) FILTER (WHERE kind = 'hold') AS holds, count(*) FILTER (WHERE kind = 'post') AS posts,
        count(*) FILTER (WHERE kind = 'void') AS voids, min(transfer.amount) AS least, max(transfer.amount) AS most
      FROM accounts.transfer WHERE payment_id = p.stream_id) AS b, LATERAL (
      SELECT count(*) AS events, count(*) FILTER (WHERE type = 'settlement-started') AS started,
        count(*) FILTER (WHERE type = 'settled') AS settled
      FROM payments.events e WHERE e.stream_id = p.stream_id) AS t
    WHERE ${inPage('p.stream_id')} AND p.state->>'service' IS NULL AND t.events > 0)`;

/** Invariant 2 across two services: the ledger matches the payments' events. */
export const bookingViolations = async (schemas: Schemas): Promise<string[]> => [
  ...(await findViolations(
    schemas,
    payments,
    `${booked} SELECT 'payment ' || id || ' (' || status || ') has ' || holds || ' holds, ' || posts || ' posts, ' || voids
       || ' voids, ' || started || ' × started, ' || settled || ' × settled' AS violation
     FROM payment WHERE holds > 1 OR posts + voids > 1 OR started > 1 OR settled > 1
       OR (status = 'ACSC') <> (settled = 1) OR (status = 'ACSC' AND posts <> 1) OR (posts = 1 AND status NOT IN ('ACSP', 'ACSC'))
       OR (status = 'ACSP' AND holds <> 1)`,
  )),
  ...(await findViolations(
    schemas,
    payments,
    `${booked} SELECT 'payment ' || id || ' is of ' || amount || ', its transfers of ' || least || ' to ' || most AS violation
     FROM payment WHERE least <> amount OR most <> amount`,
  )),
  ...(await findViolations(
    schemas,
    paymentEvents,
    `SELECT 'payment ' || e.stream_id || ' names a posting that is not its own' AS violation
     FROM payments.events e WHERE ${inPage('e.stream_id')} AND e.type = 'settled' AND NOT EXISTS (
       SELECT FROM accounts.transfer t WHERE t.id = (e.data->>'postingId')::uuid AND t.kind = 'post'
         AND t.payment_id = e.stream_id)`,
  )),
];

/**
 * The part of invariant 6 that the ledger can confirm: a payment that ended without settlement, or has not been
 * signed, has no hold.
 */
export const debitViolations = async (schemas: Schemas): Promise<string[]> => [
  ...(await findViolations(
    schemas,
    payments,
    `${booked} SELECT 'payment ' || id || ' ended as ' || status || ', yet ' || holds - voids || ' hold and ' || posts
       || ' post stand in the ledger' AS violation
     FROM payment WHERE (status IN ('CANC', 'RJCT') OR funds_available = false)
       AND (posts > 0 OR (holds > voids AND NOT ${isVoidedLater('payment.id')}))`,
  )),
  ...(await findViolations(
    schemas,
    payments,
    `SELECT DISTINCT 'payment ' || t.payment_id || ' is not signed, yet it has a transfer' AS violation
     FROM accounts.transfer t JOIN payments.payment_view p ON p.stream_id = t.payment_id
     WHERE ${inPage('p.stream_id')} AND NOT EXISTS (SELECT FROM payments.events e WHERE e.stream_id = t.payment_id AND e.type = 'signed')`,
  )),
];

/** The counters of calls made without the PSU. */
export const counters: Paged = { table: 'consents.access_window', key: 'consent_id' };

/** Invariant 8: no 24-hour window has more counted calls than the consent permits. */
export const windowViolations = async (schemas: Schemas): Promise<string[]> =>
  findViolations(
    schemas,
    counters,
    `SELECT DISTINCT 'consent ' || w.consent_id || ', ' || w.endpoint || ': more than ' || w.most || ' calls in 24 hours' AS violation
     FROM consents.access_window w CROSS JOIN unnest(w.calls) AS first
     WHERE ${inPage('w.consent_id')} AND (SELECT count(*) FROM unnest(w.calls) AS call WHERE call >= first AND call < first + 86400000000) > w.most`,
  );

/**
 * True if the ledger belongs to the sandbox bank. The ledger's tables exist in every deployment, but they contain
 * no accounts if the bank has its own core system.
 */
export const hasLedger = async (schemas: Schemas): Promise<boolean> => {
  const { rows } = await schemas
    .of('payments')
    .query<{ exists: boolean }>('SELECT EXISTS (SELECT FROM accounts.account) AS exists');
  return rows[0]?.exists === true;
};

/** Invariant 2 if an external core bank keeps the ledger: only the payments' events are checked. */
export const eventOnlyViolations = async (schemas: Schemas): Promise<string[]> =>
  findViolations(
    schemas,
    paymentEvents,
    `SELECT 'payment ' || stream_id || ' has ' || count(*) || ' × ' || type AS violation
     FROM payments.events WHERE ${inPage('stream_id')} AND type IN ('settlement-started', 'settled') GROUP BY stream_id, type HAVING count(*) > 1`,
  );

/** The number of stored answers that one statement reads. */
const answersAtOnce = 5000;

interface AnswerPage {
  readonly answers: number;
  readonly lost: readonly string[];
  /** The key after which the next page begins, or null if the page has no rows. */
  readonly last: readonly [string, string, string] | null;
}

/**
 * SQL that reads one page of the stored answers to idempotent requests and lists those that refer to a
 * missing resource.
 */
const answerPage = (schema: 'payments' | 'consents', id: 'paymentId' | 'consentId', view: string): string =>
  `WITH page AS MATERIALIZED (
     SELECT tpp_id, path, key, answer->>'${id}' AS id FROM ${schema}.idempotency_key
     WHERE (tpp_id, path, key) > ($1, $2, $3) ORDER BY tpp_id, path, key LIMIT ${answersAtOnce})
   SELECT count(*) AS answers,
     array(SELECT id FROM page WHERE id IS NOT NULL AND NOT EXISTS (SELECT FROM ${schema}.${view} v WHERE v.stream_id = id::uuid)) AS lost,
     (SELECT json_build_array(tpp_id, path, key) FROM page ORDER BY tpp_id DESC, path DESC, key DESC LIMIT 1) AS last
   FROM page`;

const readAnswers = async (schemas: Schemas, text: string, after: readonly string[]): Promise<AnswerPage> => {
  const { rows } = await schemas.of('payments').query<AnswerPage>(text, [...after]);
  return rows[0] ?? { answers: 0, lost: [], last: null };
};

/**
 * Invariant 3, as far as the database can show it: each answer stored for an idempotency key refers to an existing
 * resource.
 */
export const forgottenAnswers = async (
  schemas: Schemas,
): Promise<{ readonly answers: number; readonly violations: readonly string[] }> => {
  let answers = 0;
  const violations: string[] = [];
  for (const [schema, id, view] of [
    ['payments', 'paymentId', 'payment_view'],
    ['consents', 'consentId', 'consent_view'],
  ] as const) {
    for (let after: AnswerPage['last'] = ['', '', '']; after !== null;) {
      const page: AnswerPage = await readAnswers(schemas, answerPage(schema, id, view), after);
      answers += page.answers;
      violations.push(...page.lost.map((lost) => `${id} ${lost} was acknowledged but is lost`));
      after = page.last;
    }
  }
  return { answers, violations: violations.slice(0, 100) };
};
