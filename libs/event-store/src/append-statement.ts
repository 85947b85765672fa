import { binaryArray, type ElementType } from '@xs2a/postgres/binary-array';
import type { InlineView, ViewColumnType } from './inline-view.js';

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
  readonly attempt?: AttemptClaim;
  /** ISO instant: 24 hours from now. */
  readonly attemptExpiresAt: string;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * The one statement that appends a batch: claims idempotency keys, inserts the events of those appends that got theirs,
 * queues their ids for sequencing, and writes the inline view. It answers the streams that were not appended to, because
 * their attempt's key was taken: as a rule none. Rows are locked in one order (keys, then streams), so that two
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
    const streamIds = rows.flatMap((row) => row.events.map(() => row.streamId));
    const events = rows.flatMap((row) => row.events);
    return {
      name: `append-${this.view.table}`,
      text: this.text,
      values: [
        ...changeColumns.map(([type, of]) => binaryArray(type, rows.map(of))),
        binaryArray('uuid', streamIds),
        ...eventColumns.map(([, type, of]) => binaryArray(type, events.map(of))),
        ...this.columns.map(([name, type]) =>
          binaryArray(
            type,
            rows.map((row) => columnValue(row.view[name], type)),
          ),
        ),
      ],
    };
  }
}

const columnValue = (value: unknown, type: ViewColumnType): unknown => {
  if (value === undefined || value === null) return null;
  return type === 'jsonb' ? JSON.stringify(value) : value;
};

const list = (own: readonly string[]): string => ['stream_id', 'version', 'state', ...own].join(', ');

/** An append beside its events and the view's own columns. */
const changeColumns: readonly (readonly [type: ElementType, of: (row: AppendRow) => unknown])[] = [
  ['uuid', ({ streamId }) => streamId],
  ['int', ({ version }) => version],
  ['json', ({ stateJson }) => stateJson],
  ['text', ({ attempt }) => attempt?.tppId],
  ['text', ({ attempt }) => attempt?.path],
  ['text', ({ attempt }) => attempt?.key],
  ['text', ({ attempt }) => attempt?.hash],
  ['json', ({ attempt }) => attempt && JSON.stringify(attempt.answer)],
  ['timestamptz', ({ attemptExpiresAt }) => attemptExpiresAt],
];

/** An event beside its stream. */
const eventColumns: readonly (readonly [
  name: string,
  type: ElementType,
  of: (event: EventRow) => unknown,
])[] = [
  ['event_id', 'uuid', ({ eventId }) => eventId],
  ['version', 'int', ({ version }) => version],
  ['type', 'text', ({ type }) => type],
  ['schema_version', 'int', ({ schemaVersion }) => schemaVersion],
  ['data', 'json', ({ dataJson }) => dataJson],
  ['meta', 'json', ({ metaJson }) => metaJson],
  ['occurred_at', 'timestamptz', ({ occurredAt }) => occurredAt],
  ['prev_hash', 'bytea', ({ prevHash }) => prevHash],
  ['hash', 'bytea', ({ hash }) => hash],
];

/** Parameters from `$first` on, one array for each type. */
const arrays = (types: readonly ElementType[], first: number): string =>
  types.map((type, index) => `$${first + index}::${type}[]`).join(', ');

const statementText = (table: string, columns: readonly [name: string, type: ViewColumnType][]): string => {
  const names = columns.map(([name]) => quoted(name));
  // Under names of their own: a view may well have a column `tpp_id`.
  const given = columns.map(([name]) => quoted(`view.${name}`));
  const changeTypes = changeColumns.map(([type]) => type);
  const eventTypes: ElementType[] = ['uuid', ...eventColumns.map(([, type]) => type)];
  const viewTypes = columns.map(([, type]) => type);
  const eventNames = ['stream_id', ...eventColumns.map(([name]) => name)].join(', ');
  const firstOfView = 1 + changeTypes.length + eventTypes.length;
  // A view may have no columns of its own.
  const changes = [
    arrays(changeTypes, 1),
    ...(viewTypes.length === 0 ? [] : [arrays(viewTypes, firstOfView)]),
  ];
  const updates = ['version', 'state', ...names].map((name) => `${name} = excluded.${name}`).join(', ');
  return `
WITH change AS MATERIALIZED (
  SELECT * FROM unnest(${changes.join(', ')})
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
  INSERT INTO events (${eventNames})
  SELECT e.* FROM unnest(${arrays(eventTypes, 1 + changeTypes.length)}) AS e (${eventNames})
  WHERE e.stream_id IN (SELECT stream_id FROM granted)
  ORDER BY e.stream_id, e.version
  RETURNING id
), queued AS (
  INSERT INTO unsequenced (id) SELECT id FROM stored
), viewed AS (
  INSERT INTO ${quoted(table)} (${list(names)}) SELECT ${list(given)} FROM granted ORDER BY stream_id
  ON CONFLICT (stream_id) DO UPDATE SET ${updates}
)
SELECT stream_id FROM change
WHERE key IS NOT NULL AND (tpp_id, path, key) NOT IN (SELECT tpp_id, path, key FROM claimed)`;
};
