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
  /** Of the attempt; ISO instant: 24 hours from now. */
  readonly attemptExpiresAt?: string;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

/**
 * The one statement that appends a batch: claims idempotency keys, inserts the events of those appends that got theirs,
 * queues their ids for sequencing, and writes the inline view. It answers the streams that were not appended to, because
 * their attempt's key was taken: as a rule none. Rows are locked in one order (keys, then streams), so that two
 * batches wait for each other but never both. A batch without keys has a text of its own, in which nothing is set aside
 * to be looked at again.
 */
export class AppendStatement {
  private readonly claiming: string;
  private readonly plain: string;
  private readonly columns: readonly [name: string, type: ViewColumnType][];

  constructor(private readonly view: InlineView<never>) {
    this.columns = Object.entries(view.columns);
    this.claiming = claimingText(view.table, this.columns);
    this.plain = plainText(view.table, this.columns);
  }

  query(batch: readonly AppendRow[]): Statement {
    const claims = batch.some(({ attempt }) => attempt !== undefined);
    const rows = batch.toSorted((one, other) => (one.streamId < other.streamId ? -1 : 1));
    const streamIds = rows.flatMap((row) => row.events.map(() => row.streamId));
    const events = rows.flatMap((row) => row.events);
    const changeColumns = claims ? [...streamColumns, ...claimColumns] : streamColumns;
    return {
      name: claims ? `append-claiming-${this.view.table}` : `append-${this.view.table}`,
      text: claims ? this.claiming : this.plain,
      values: [
        ...changeColumns.map(([, type, of]) => binaryArray(type, rows.map(of))),
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

type ChangeColumn = readonly [name: string, type: ElementType, of: (row: AppendRow) => unknown];

/** An append beside its events and the view's own columns. */
const streamColumns: readonly ChangeColumn[] = [
  ['stream_id', 'uuid', ({ streamId }) => streamId],
  ['version', 'int', ({ version }) => version],
  ['state', 'json', ({ stateJson }) => stateJson],
];
const claimColumns: readonly ChangeColumn[] = [
  ['tpp_id', 'text', ({ attempt }) => attempt?.tppId],
  ['path', 'text', ({ attempt }) => attempt?.path],
  ['key', 'text', ({ attempt }) => attempt?.key],
  ['hash', 'text', ({ attempt }) => attempt?.hash],
  ['answer', 'json', ({ attempt }) => attempt && JSON.stringify(attempt.answer)],
  ['expires_at', 'timestamptz', ({ attemptExpiresAt }) => attemptExpiresAt],
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

/** What both texts are made of, over the parameters in the order of {@link AppendStatement.query}. */
const partsOf = (
  table: string,
  columns: readonly [name: string, type: ViewColumnType][],
  changeColumns: readonly ChangeColumn[],
) => {
  const names = columns.map(([name]) => quoted(name));
  // Under names of their own: a view may well have a column `tpp_id`.
  const given = columns.map(([name]) => quoted(`view.${name}`));
  const changeTypes = changeColumns.map(([, type]) => type);
  const eventTypes: ElementType[] = ['uuid', ...eventColumns.map(([, type]) => type)];
  const viewTypes = columns.map(([, type]) => type);
  const firstOfView = 1 + changeTypes.length + eventTypes.length;
  // A view may have no columns of its own.
  const changes = [
    arrays(changeTypes, 1),
    ...(viewTypes.length === 0 ? [] : [arrays(viewTypes, firstOfView)]),
  ];
  const changeNames = [...changeColumns.map(([name]) => name), ...given];
  const updates = ['version', 'state', ...names].map((name) => `${name} = excluded.${name}`).join(', ');
  return {
    change: `unnest(${changes.join(', ')}) AS c (${changeNames.join(', ')})`,
    eventNames: ['stream_id', ...eventColumns.map(([name]) => name)].join(', '),
    events: `unnest(${arrays(eventTypes, 1 + changeTypes.length)})`,
    /** Writes the view's rows from what has the columns of `change`. */
    view: (from: string): string =>
      `INSERT INTO ${quoted(table)} (${list(names)}) SELECT ${list(given)} FROM ${from}
  ON CONFLICT (stream_id) DO UPDATE SET ${updates}`,
  };
};

const queued = 'queued AS (\n  INSERT INTO unsequenced (id) SELECT id FROM stored\n)';

const plainText = (table: string, columns: readonly [name: string, type: ViewColumnType][]): string => {
  const { change, eventNames, events, view } = partsOf(table, columns, streamColumns);
  return `
WITH stored AS (
  INSERT INTO events (${eventNames}) SELECT * FROM ${events} RETURNING id
), ${queued}
${view(change)}`;
};

const claimingText = (table: string, columns: readonly [name: string, type: ViewColumnType][]): string => {
  const { change, eventNames, events, view } = partsOf(table, columns, [...streamColumns, ...claimColumns]);
  return `
WITH change AS MATERIALIZED (
  SELECT * FROM ${change}
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
  SELECT e.* FROM ${events} AS e (${eventNames})
  WHERE e.stream_id IN (SELECT stream_id FROM granted)
  ORDER BY e.stream_id, e.version
  RETURNING id
), ${queued}, viewed AS (
  ${view('granted ORDER BY stream_id')}
)
SELECT stream_id FROM change
WHERE key IS NOT NULL AND (tpp_id, path, key) NOT IN (SELECT tpp_id, path, key FROM claimed)`;
};
