import type { InlineView, ViewColumnType } from './inline-view.js';

/** An event ready to be inserted: hashed, its data and meta as JSON text. */
export interface EventRow {
  readonly eventId: string;
  readonly version: number;
  readonly type: string;
  readonly schemaVersion: number;
  readonly dataJson: string;
  readonly metaJson: string;
  readonly occurredAt: string;
  readonly prevHash: Buffer;
  readonly hash: Buffer;
}

/** A claim of an idempotency key: unique per TPP, path and key for 24 hours (contract 2). */
export interface AttemptClaim {
  readonly tppId: string;
  readonly key: string;
  /** Method and path without version prefix. */
  readonly path: string;
  /** SHA-256 of the body, hex. */
  readonly hash: string;
  /** Plain JSON: what a repeat of the request is answered. */
  readonly answer: unknown;
}

/** One append as the statement takes it. */
export interface AppendRow {
  readonly streamId: string;
  /** The stream's version after it. */
  readonly version: number;
  readonly stateJson: string;
  readonly view: Readonly<Record<string, unknown>>;
  readonly events: readonly EventRow[];
  readonly attempt?: AttemptClaim;
  /** ISO instant: 24 hours from now. */
  readonly attemptExpiresAt: string;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * The one statement that appends a batch: claims idempotency keys, inserts the events of those appends that got theirs,
 * queues their ids for sequencing, and writes the inline view. It answers the streams that were appended to; an append
 * that is missing there found its key taken. Rows are locked in one order (keys, then streams), so that two
 * batches wait for each other but never both.
 */
export class AppendStatement {
  private readonly text: string;
  private readonly columns: readonly [name: string, type: ViewColumnType][];

  constructor(private readonly view: InlineView<never>) {
    this.columns = Object.entries(view.columns);
    this.text = statementText(view.table, this.columns);
  }

  query(rows: readonly AppendRow[]): { name: string; text: string; values: unknown[] } {
    const events = rows.flatMap((row) => row.events.map((event) => ({ streamId: row.streamId, ...event })));
    return {
      name: `append-${this.view.table}`,
      text: this.text,
      values: [
        rows.map((row) => row.streamId),
        rows.map((row) => row.version),
        rows.map((row) => row.stateJson),
        rows.map((row) => row.attempt?.tppId ?? null),
        rows.map((row) => row.attempt?.path ?? null),
        rows.map((row) => row.attempt?.key ?? null),
        rows.map((row) => row.attempt?.hash ?? null),
        rows.map((row) => (row.attempt === undefined ? null : JSON.stringify(row.attempt.answer))),
        rows.map((row) => row.attemptExpiresAt),
        events.map((event) => event.streamId),
        events.map((event) => event.eventId),
        events.map((event) => event.version),
        events.map((event) => event.type),
        events.map((event) => event.schemaVersion),
        events.map((event) => event.dataJson),
        events.map((event) => event.metaJson),
        events.map((event) => event.occurredAt),
        events.map((event) => event.prevHash),
        events.map((event) => event.hash),
        ...this.columns.map(([name, type]) => rows.map((row) => columnValue(row.view[name], type))),
      ],
    };
  }
}

const columnValue = (value: unknown, type: ViewColumnType): unknown => {
  if (value === undefined || value === null) return null;
  return type === 'jsonb' ? JSON.stringify(value) : value;
};

const list = (own: readonly string[]): string => ['stream_id', 'version', 'state', ...own].join(', ');

const statementText = (table: string, columns: readonly [name: string, type: ViewColumnType][]): string => {
  const names = columns.map(([name]) => quoted(name));
  // Under names of their own: a view may well have a column `tpp_id`.
  const given = columns.map(([name]) => quoted(`view.${name}`));
  const unnested = columns.map(([, type], index) => `, $${20 + index}::${type}[]`).join('');
  const updates = ['version', 'state', ...names].map((name) => `${name} = excluded.${name}`).join(', ');
  return `
WITH change AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::int[], $3::jsonb[], $4::text[], $5::text[], $6::text[], $7::text[], $8::json[],
      $9::timestamptz[]${unnested})
    AS c (stream_id, version, state, tpp_id, path, key, hash, answer, expires_at${given.map((name) => `, ${name}`).join('')})
), claimed AS (
  INSERT INTO attempt AS kept (tpp_id, path, key, hash, answer, expires_at)
  SELECT tpp_id, path, key, hash, answer, expires_at FROM change WHERE key IS NOT NULL ORDER BY tpp_id, path, key
  ON CONFLICT (tpp_id, path, key)
    DO UPDATE SET hash = excluded.hash, answer = excluded.answer, expires_at = excluded.expires_at
    WHERE kept.expires_at <= excluded.expires_at - interval '24 hours'
  RETURNING tpp_id, path, key
), granted AS MATERIALIZED (
  SELECT * FROM change WHERE key IS NULL OR (tpp_id, path, key) IN (SELECT tpp_id, path, key FROM claimed)
), stored AS (
  INSERT INTO events (stream_id, event_id, version, type, schema_version, data, meta, occurred_at, prev_hash, hash)
  SELECT e.* FROM unnest($10::uuid[], $11::uuid[], $12::int[], $13::text[], $14::int[], $15::jsonb[], $16::jsonb[],
      $17::timestamptz[], $18::bytea[], $19::bytea[])
    AS e (stream_id, event_id, version, type, schema_version, data, meta, occurred_at, prev_hash, hash)
  WHERE e.stream_id IN (SELECT stream_id FROM granted)
  ORDER BY e.stream_id, e.version
  RETURNING id
), queued AS (
  INSERT INTO unsequenced (id) SELECT id FROM stored
), viewed AS (
  INSERT INTO ${quoted(table)} (${list(names)}) SELECT ${list(given)} FROM granted ORDER BY stream_id
  ON CONFLICT (stream_id) DO UPDATE SET ${updates}
)
SELECT stream_id FROM granted`;
};
