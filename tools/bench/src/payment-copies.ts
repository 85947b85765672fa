import type { Client } from 'pg';

const perStatement = 20_000;

/**
 * Copies of a payment that has come to its end: its events under new stream ids with the next positions of the log, its
 * row of the status view, its idempotency key. They are spread over the last year. Hash chains are copied as they are,
 * so they do not hold; neither the projections nor the door look at them. Nobody else may append meanwhile.
 */
export const copyPayment = async (
  client: Client,
  paymentId: string,
  { copies, onProgress }: { readonly copies: number; readonly onProgress?: (done: number) => void },
): Promise<void> => {
  for (let done = 0; done < copies; done += perStatement) {
    await client.query(copyStatement, [paymentId, Math.min(perStatement, copies - done)]);
    onProgress?.(Math.min(copies, done + perStatement));
  }
  await client.query('ANALYZE payments.events, payments.log, payments.payment_view, payments.attempt');
};

const copyStatement = `
WITH copy AS MATERIALIZED (
  SELECT n, gen_random_uuid() AS id, interval '1 day' * (n % 365) AS earlier FROM generate_series(1, $2::int) AS n
), stored AS (
  INSERT INTO payments.events
    (event_id, stream_id, version, type, schema_version, data, meta, occurred_at, prev_hash, hash)
  SELECT gen_random_uuid(), copy.id, version, type, schema_version,
    CASE type WHEN 'initiated' THEN data::jsonb || jsonb_build_object('paymentId', copy.id) ELSE data::jsonb END,
    meta, occurred_at - earlier, prev_hash, hash
  FROM copy CROSS JOIN payments.events WHERE stream_id = $1 ORDER BY n, version
  RETURNING id
), logged AS (
  INSERT INTO payments.log (pos, id)
  SELECT (SELECT coalesce(max(pos), 0) FROM payments.log) + row_number() OVER (ORDER BY id), id FROM stored
), attempted AS (
  INSERT INTO payments.attempt (tpp_id, path, key, hash, answer, expires_at)
  SELECT tpp_id, path, gen_random_uuid()::text, hash, answer, expires_at
  FROM copy CROSS JOIN (SELECT * FROM payments.attempt LIMIT 1) AS model
)
INSERT INTO payments.payment_view
  (stream_id, version, state, tpp_id, product, status, funds_available, rejection_reason, psu_id, unsigned_until, signed_at)
SELECT copy.id, version, state::jsonb || jsonb_build_object('paymentId', copy.id), tpp_id, product, status, funds_available,
  rejection_reason, psu_id, unsigned_until, signed_at - earlier
FROM copy CROSS JOIN payments.payment_view WHERE stream_id = $1`;
