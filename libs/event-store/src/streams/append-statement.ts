import { binaryArray, type ElementType } from '@xs2a/postgres/binary-array';
import { chainStart } from './hash-chain.js';
import { columnValue, type InlineView } from './inline-view.js';
import { isExamined, waitsForDecision } from './lost-events.js';
import { quotedName } from './quoted-name.js';

/** An event ready to be inserted: hashed, its data and meta as JSON; data as bytes, which its hash needed. */
export interface EventRow {
  readonly eventId: string;
  readonly version: number;
  readonly type: string;
  readonly schemaVersion: number;
  readonly dataJson: Buffer;
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
  readonly stateJson: Buffer;
  readonly view: Readonly<Record<string, unknown>>;
  readonly events: readonly EventRow[];
  /** See `StreamChange`. */
  readonly guarded: boolean;
  readonly attempt?: AttemptClaim;
  /** ISO instant at which the idempotency key ends: 24 hours from now. */
  readonly attemptExpiresAt?: string;
}

/** The statement's row for an append of which nothing was stored. */
export interface NotAppended {
  readonly stream_id: string;
  /** Its idempotency key was used before; otherwise the stream does not end with the event that it builds on. */
  readonly key_taken: boolean;
}

/** A parameter of the statement: an array with one element for each row. */
type Column<Row> = readonly [type: ElementType, value: (row: Row) => unknown];

/** Parameters 1 to 12. */
const changeColumns: readonly Column<AppendRow>[] = [
  ['uuid', ({ streamId }) => streamId],
  ['bytea', ({ events }) => events[0]?.prevHash],
  ['int', ({ version }) => version],
  ['bytea', ({ events }) => events.at(-1)?.hash],
  ['json', ({ stateJson }) => stateJson],
  ['text', ({ attempt }) => attempt?.tppId],
  ['text', ({ attempt }) => attempt?.path],
  ['text', ({ attempt }) => attempt?.key],
  ['text', ({ attempt }) => attempt?.hash],
  ['json', ({ attempt }) => attempt && JSON.stringify(attempt.answer)],
  ['timestamptz', ({ attemptExpiresAt }) => attemptExpiresAt],
  ['boolean', ({ guarded }) => guarded],
];
/** Parameters 13 to 22. */
const eventColumns: readonly Column<EventRow & { readonly streamId: string }>[] = [
  ['uuid', ({ streamId }) => streamId],
  ['int', ({ version }) => version],
  ['uuid', ({ eventId }) => eventId],
  ['text', ({ type }) => type],
  ['int', ({ schemaVersion }) => schemaVersion],
  ['json', ({ dataJson }) => dataJson],
  ['json', ({ metaJson }) => metaJson],
  ['timestamptz', ({ occurredAt }) => occurredAt],
  ['bytea', ({ prevHash }) => prevHash],
  ['bytea', ({ hash }) => hash],
];
const firstViewParameter = 23;

/**
 * The one statement that appends a batch. Rows are locked in one order (streams, keys, new streams), so that two batches
 * wait for each other but never both.
 *
 * - `change`: the appends whose stream ends with the event that they build on, told by its hash: in a database that went
 *   back another event may have the same version. A guarded one also waits for what was lost there: asked here, so on the server
 *   that stores it. The stream's row is locked, so it stays there; of the others nothing is
 *   stored. Two that begin the same stream both come so far, and the key of `events` fails one of them.
 * - `granted`: those of them without an idempotency key, or whose key was free.
 * - `queued`: the relay needs ids that are given after the transaction has its own id, which it has by writing the other
 *   tables before (`publishing/log.ts`), and in the order of versions.
 */
const appendText = ({ table, columns }: InlineView<never>): string => {
  const types = Object.values(columns).map((type, index) => `, $${firstViewParameter + index}::${type}[]`);
  // Names of their own: a view may well have a column `tpp_id`.
  const given = Object.keys(columns).map((name) => `, ${quotedName(`view_${name}`)}`);
  const names = Object.keys(columns).map((name) => `, ${quotedName(name)}`);
  const updates = Object.keys(columns).map((name) => `, ${quotedName(name)} = excluded.${quotedName(name)}`);
  return `
WITH change AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::int[], $4::bytea[], $5::json[],
    $6::text[], $7::text[], $8::text[], $9::text[], $10::json[], $11::timestamptz[], $12::boolean[]${types.join('')})
    AS c (stream_id, prev_hash, version, last_hash, state, tpp_id, path, key, hash, answer, expires_at, guarded${given.join('')})
  WHERE prev_hash = coalesce(
    (SELECT v.last_hash FROM ${quotedName(table)} v WHERE v.stream_id = c.stream_id FOR NO KEY UPDATE),
    '\\x${chainStart.toString('hex')}')
    AND (NOT c.guarded OR ${isExamined} AND NOT ${waitsForDecision('c.stream_id')})
), claimed AS (
  INSERT INTO attempt AS kept (tpp_id, path, key, hash, answer, expires_at)
  SELECT tpp_id, path, key, hash, answer, expires_at FROM change WHERE key IS NOT NULL ORDER BY tpp_id, path, key
  ON CONFLICT (tpp_id, path, key)
    DO UPDATE SET hash = excluded.hash, answer = excluded.answer, expires_at = excluded.expires_at
    WHERE kept.expires_at <= excluded.expires_at - interval '24 hours'
  RETURNING tpp_id, path, key
), granted AS MATERIALIZED (
  SELECT * FROM change WHERE key IS NULL OR (tpp_id, path, key) IN (SELECT tpp_id, path, key FROM claimed)
), viewed AS (
  INSERT INTO ${quotedName(table)} (stream_id, version, last_hash, state${names.join('')})
  SELECT stream_id, version, last_hash, state${given.join('')} FROM granted
  ON CONFLICT (stream_id) DO UPDATE
    SET version = excluded.version, last_hash = excluded.last_hash, state = excluded.state${updates.join('')}
), stored AS (
  INSERT INTO events
    (stream_id, version, event_id, type, schema_version, data, meta, occurred_at, prev_hash, hash)
  SELECT e.* FROM unnest($13::uuid[], $14::int[], $15::uuid[], $16::text[], $17::int[], $18::json[], $19::json[],
    $20::timestamptz[], $21::bytea[], $22::bytea[]) AS e (stream_id)
  WHERE e.stream_id IN (SELECT stream_id FROM granted)
  RETURNING stream_id, version
), queued AS (
  INSERT INTO unsequenced (stream_id, version) SELECT stream_id, version FROM stored ORDER BY stream_id, version
)
SELECT stream_id, stream_id IN (SELECT stream_id FROM change) AS key_taken FROM unnest($1::uuid[]) AS a (stream_id)
WHERE stream_id NOT IN (SELECT stream_id FROM granted)`;
};

/** Answers {@link NotAppended} for each append that was not carried out: as a rule for none. */
export class AppendStatement {
  private readonly text: string;
  private readonly viewColumns: readonly Column<AppendRow>[];

  constructor(private readonly view: InlineView<never>) {
    this.text = appendText(view);
    this.viewColumns = Object.entries(view.columns).map(([name, type]) => [
      type,
      (row) => columnValue(row.view[name], type),
    ]);
  }

  query(batch: readonly AppendRow[]): { name: string; text: string; values: unknown[] } {
    const rows = batch.toSorted((one, other) => (one.streamId < other.streamId ? -1 : 1));
    const events = rows.flatMap((row) => row.events.map((event) => ({ ...event, streamId: row.streamId })));
    return {
      name: `append-${this.view.table}`,
      text: this.text,
      values: [
        ...changeColumns.map(([type, value]) => binaryArray(type, rows.map(value))),
        ...eventColumns.map(([type, value]) => binaryArray(type, events.map(value))),
        ...this.viewColumns.map(([type, value]) => binaryArray(type, rows.map(value))),
      ],
    };
  }
}
