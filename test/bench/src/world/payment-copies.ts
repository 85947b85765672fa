import type { Client } from 'pg';

const perStatement = 20_000;

/** The copies belong to this many TPPs in turn. */
const tpps = 200;
const copiedProducts = [
  'domestic-credit-transfer-BGN',
  'SEPA-Credit-Transfer',
  'cross-border-credit-transfer',
  'domestic-budget-transfer-BGN',
] as const;

/**
 * Copies of a payment in a final status: its events under new stream ids with the next positions of the log, its
 * row of the status view, its idempotency key. They are spread over the last year, over 200 TPPs and four products. Hash chains are copied as they are,
 * so they do not verify; neither the projections nor the gateway read them. Nothing else may append in the meantime.
 */
export const copyPayment = async (
  client: Client,
  paymentId: string,
  { copies, onProgress }: { readonly copies: number; readonly onProgress?: (done: number) => void },
): Promise<void> => {
  const statement = await copyStatement(client);
  for (let done = 0; done < copies; done += perStatement) {
    await client.query(statement, [paymentId, Math.min(perStatement, copies - done)]);
    onProgress?.(Math.min(copies, done + perStatement));
  }
  await client.query(
    'ANALYZE payments.events, payments.log, payments.payment_view, payments.idempotency_key',
  );
};

/** The columns in which a copy differs from its original. */
const own = {
  'payments.events': {
    event_id: 'gen_random_uuid()',
    stream_id: 'copy.id',
    data: `CASE type WHEN 'initiated' THEN (data::jsonb || copy.about)::json ELSE data END`,
    occurred_at: 'occurred_at - earlier',
  },
  'payments.idempotency_key': { key: 'gen_random_uuid()::text', tpp_id: 'copy.tpp_id' },
  'payments.payment_view': {
    stream_id: 'copy.id',
    state: `(state::jsonb || copy.about)::json`,
    tpp_id: 'copy.tpp_id',
    signed_at: 'signed_at - earlier',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** INSERT … SELECT of a row for each copy, with the catalog's columns except those that the table generates. */
const insertCopies = async (client: Client, table: keyof typeof own, model: string): Promise<string> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attidentity = '' ORDER BY attnum`,
    [table],
  );
  const ofCopy: Readonly<Record<string, string>> = own[table];
  const names = rows.map(({ name }) => name);
  const missing = Object.keys(ofCopy).filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`${table} has no ${missing.join(', ')}`);
  return `INSERT INTO ${table} (${names.join(', ')})
    SELECT ${names.map((name) => ofCopy[name] ?? `model.${name}`).join(', ')} FROM copy CROSS JOIN (${model}) AS model`;
};

const copyStatement = async (client: Client): Promise<string> => {
  const events = await insertCopies(
    client,
    'payments.events',
    'SELECT * FROM payments.events WHERE stream_id = $1',
  );
  const idempotencyRecords = await insertCopies(
    client,
    'payments.idempotency_key',
    'SELECT * FROM payments.idempotency_key LIMIT 1',
  );
  const views = await insertCopies(
    client,
    'payments.payment_view',
    'SELECT * FROM payments.payment_view WHERE stream_id = $1',
  );
  return `
WITH copy AS MATERIALIZED (
  SELECT id, tpp_id, earlier, jsonb_build_object('paymentId', id, 'tppId', tpp_id, 'product', product) AS about
  FROM generate_series(1, $2::int) AS n,
    LATERAL (SELECT gen_random_uuid() AS id, 'tpp-' || n % ${tpps} AS tpp_id, interval '1 day' * (n % 365) AS earlier,
      (ARRAY[${copiedProducts.map((product) => `'${product}'`).join(', ')}])[1 + n / ${tpps} % ${copiedProducts.length}] AS product) AS made
), stored AS (
  ${events} RETURNING stream_id, version
), logged AS (
  INSERT INTO payments.log (pos, stream_id, version)
  SELECT (SELECT coalesce(max(pos), 0) FROM payments.log) + row_number() OVER (ORDER BY stream_id, version), stream_id, version
  FROM stored
), attempted AS (
  ${idempotencyRecords}
)
${views}`;
};
