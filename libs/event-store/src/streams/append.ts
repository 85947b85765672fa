import { binaryArray, type ElementType } from '@xs2a/postgres/binary-array';
import { isLockTimeout, isNotNullViolation, isTransient, isUniqueViolation } from '@xs2a/postgres/errors';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Pool, PoolClient } from 'pg';
import { chainStart } from './hash-chain.js';
import { type Claim, type ClaimedRecord, dayMs, findEarlier, findKey } from './idempotency-records.js';
import { columnValue, type InlineView } from './inline-view.js';
import { quotedName } from './quoted-name.js';

/**
 * The SQL statement that stores appends: events, status view, idempotency keys and the relay's queue. Its
 * parameters are arrays. They have one element per append ($1 to $14, and from $29 on the columns of the view),
 * per additional form of an idempotency key under another hash key ($15 to $18), or per event ($19 to $28). It
 * returns a row for each append that stored nothing. `append.int.spec.ts` runs it as psql does.
 *
 * Rows are locked in a fixed order (streams, keys, new streams) to prevent deadlocks. While hash keys are being
 * rotated, a request claims its idempotency key under each hash key that the instance has. If it can claim the key
 * under only some of them, the NOT NULL constraint of `answer` fails and nothing is stored.
 */
export const appendText = (
  { table, columns }: Pick<InlineView<never>, 'table' | 'columns'>,
  guard?: AppendGuard,
): string => {
  const view = quotedName(table);
  const names = Object.keys(columns);
  const parameters = Object.values(columns).map(
    (type, index) => `, $${firstViewParameter + index}::${type}[]`,
  );
  // The view's columns are prefixed, because the view may also have a column `tpp_id`.
  const given = names.map((name) => `, ${quotedName(`view_${name}`)}`);
  const columnNames = names.map((name) => `, ${quotedName(name)}`);
  const updates = names.map((name) => `, ${quotedName(name)} = excluded.${quotedName(name)}`);
  return `
WITH further AS MATERIALIZED (
  SELECT * FROM unnest($15::uuid[], $16::text[], $17::text[], $18::text[]) AS f (stream_id, key, hash, key_name)
), valid AS MATERIALIZED (
  -- Appends whose stream ends with the event that they build on, found by its hash: in a database that went back to an earlier
  -- state another event may have the same version. The stream's row is locked, so it stays its end. Two appends that begin the
  -- same stream both pass here; the primary key of events then fails one of them.
  SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::int[], $4::bytea[], $5::json[],
    $6::text[], $7::text[], $8::text[], $9::text[], $10::json[], $11::timestamptz[], $12::bytea[], $13::text[], $14::text[]${parameters.join('')})
    AS c (stream_id, prev_hash, version, last_hash, state, tpp_id, path, key, hash, answer, expires_at, wrapped_key, master_key, key_name${given.join('')})
  WHERE prev_hash = coalesce(
    (SELECT v.last_hash FROM ${view} v WHERE v.stream_id = c.stream_id FOR NO KEY UPDATE),
    '\\x${chainStart.toString('hex')}')
${guard === undefined ? '' : `    -- The condition is evaluated by the server that stores the append.\n    AND (${guard('c.stream_id')})\n`}    -- Its idempotency key may be kept under another hash key.
    AND NOT EXISTS (SELECT FROM further f JOIN idempotency_key t ON t.tpp_id = c.tpp_id AND t.path = c.path AND t.key = f.key
      WHERE f.stream_id = c.stream_id AND t.expires_at > c.expires_at - interval '24 hours')
), claimed AS (
  -- Idempotency keys that were free, or had expired: expires_at of the new one is 24 hours from now, so 24 hours before it is now.
  INSERT INTO idempotency_key AS kept (tpp_id, path, key, hash, key_name, answer, expires_at)
  SELECT tpp_id, path, key, hash, key_name, answer, expires_at FROM valid WHERE key IS NOT NULL ORDER BY tpp_id, path, key
  ON CONFLICT (tpp_id, path, key)
    DO UPDATE SET hash = excluded.hash, key_name = excluded.key_name, answer = excluded.answer, expires_at = excluded.expires_at
    WHERE kept.expires_at <= excluded.expires_at - interval '24 hours'
  RETURNING tpp_id, path, key
), accepted AS MATERIALIZED (
  SELECT * FROM valid WHERE key IS NULL OR (tpp_id, path, key) IN (SELECT tpp_id, path, key FROM claimed)
), claimed_further AS (
  INSERT INTO idempotency_key AS kept (tpp_id, path, key, hash, key_name, answer, expires_at)
  SELECT a.tpp_id, a.path, f.key, f.hash, f.key_name, a.answer, a.expires_at
  FROM accepted a JOIN further f ON f.stream_id = a.stream_id ORDER BY f.key_name, a.tpp_id, a.path, f.key
  ON CONFLICT (tpp_id, path, key)
    DO UPDATE SET hash = excluded.hash, key_name = excluded.key_name, expires_at = excluded.expires_at,
      answer = CASE WHEN kept.expires_at <= excluded.expires_at - interval '24 hours' THEN excluded.answer END
), keyed AS (
  INSERT INTO stream_key (stream_id, wrapped, master_key)
  SELECT stream_id, wrapped_key, master_key FROM accepted WHERE wrapped_key IS NOT NULL
), viewed AS (
  INSERT INTO ${view} (stream_id, version, last_hash, state${columnNames.join('')})
  SELECT stream_id, version, last_hash, state${given.join('')} FROM accepted
  ON CONFLICT (stream_id) DO UPDATE
    SET version = excluded.version, last_hash = excluded.last_hash, state = excluded.state${updates.join('')}
), stored AS (
  INSERT INTO events
    (stream_id, version, event_id, type, schema_version, data, meta, occurred_at, prev_hash, hash)
  SELECT e.* FROM unnest($19::uuid[], $20::int[], $21::uuid[], $22::text[], $23::int[], $24::json[], $25::json[],
    $26::timestamptz[], $27::bytea[], $28::bytea[]) AS e (stream_id)
  WHERE e.stream_id IN (SELECT stream_id FROM accepted)
  RETURNING stream_id, version
), queued AS (
  -- The relay needs ids that are given after the transaction has its own id, which it has by writing the tables above
  -- (publishing/relay-log.ts), and in the order of versions.
  INSERT INTO unsequenced (stream_id, version) SELECT stream_id, version FROM stored ORDER BY stream_id, version
)
SELECT stream_id, stream_id IN (SELECT stream_id FROM valid) AS key_taken FROM unnest($1::uuid[]) AS a (stream_id)
WHERE stream_id NOT IN (SELECT stream_id FROM accepted)`;
};

/**
 * A condition that guarded appends must satisfy in the same statement, as SQL for the stream whose id is the given
 * expression. An append that does not satisfy it is a `conflict`.
 */
export type AppendGuard = (streamId: string) => string;

/** The outcome of one append. */
export type Appended =
  | 'appended'
  /** Another append to the stream came first: load the stream and decide again. */
  | 'conflict'
  /** The idempotency key already has a stored answer, which must be returned again. */
  | { readonly replay: unknown }
  /** The idempotency key was used with a different body. */
  | 'key-reused'
  /** The first request with this idempotency key did not finish in time (1.7 s). */
  | 'under-way';

/** A hashed event, ready to be inserted. Data are bytes, because hashing needs bytes anyway. */
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

/** One append, in the form of the statement's parameters. */
export interface AppendRow {
  readonly streamId: string;
  /** The stream's version after the append. */
  readonly version: number;
  readonly stateJson: Buffer;
  readonly view: Readonly<Record<string, unknown>>;
  readonly events: readonly EventRow[];
  /** The wrapped new key of a stream that had none, and the name of the master key that wrapped it. */
  readonly wrappedKey?: Buffer;
  readonly masterKey?: string;
  /** See `StreamChange`. */
  readonly isGuarded: boolean;
  readonly idempotencyRecord?: ClaimedRecord;
  /** The ISO instant at which the idempotency key expires: 24 hours from now. */
  readonly idempotencyExpiresAt?: string;
}

/** The row that the statement returns for an append that stored nothing. */
interface NotAppended {
  readonly stream_id: string;
  /** True if the idempotency key was used before; false if the stream ends with another event. */
  readonly key_taken: boolean;
}

/** A parameter of the statement, as an array with one element per row. */
type Column<Row> = readonly [type: ElementType, value: (row: Row) => unknown];

/** Parameters 1 to 14. */
const changeColumns: readonly Column<AppendRow>[] = [
  ['uuid', ({ streamId }) => streamId],
  ['bytea', ({ events }) => events[0]?.prevHash],
  ['int', ({ version }) => version],
  ['bytea', ({ events }) => events.at(-1)?.hash],
  ['json', ({ stateJson }) => stateJson],
  ['text', ({ idempotencyRecord }) => idempotencyRecord?.tppId],
  ['text', ({ idempotencyRecord }) => idempotencyRecord?.path],
  ['text', ({ idempotencyRecord }) => idempotencyRecord?.claims[0]?.key],
  ['text', ({ idempotencyRecord }) => idempotencyRecord?.claims[0]?.hash],
  ['json', ({ idempotencyRecord }) => idempotencyRecord && JSON.stringify(idempotencyRecord.answer)],
  ['timestamptz', ({ idempotencyExpiresAt }) => idempotencyExpiresAt],
  ['bytea', ({ wrappedKey }) => wrappedKey],
  ['text', ({ masterKey }) => masterKey],
  ['text', ({ idempotencyRecord }) => idempotencyRecord?.claims[0]?.keyName],
];
/** An append's idempotency key, hashed with an additional hash key. */
type FurtherKey = { readonly streamId: string } & Claim;
/** Parameters 15 to 18. */
const furtherColumns: readonly Column<FurtherKey>[] = [
  ['uuid', ({ streamId }) => streamId],
  ['text', ({ key }) => key],
  ['text', ({ hash }) => hash],
  ['text', ({ keyName }) => keyName],
];
const furtherKeys = ({ streamId, idempotencyRecord }: AppendRow): FurtherKey[] =>
  idempotencyRecord === undefined
    ? []
    : idempotencyRecord.claims.slice(1).map((claim) => ({ streamId, ...claim }));
/** Parameters 19 to 28. */
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
const firstViewParameter = 29;

/** Stores each append either completely or not at all. */
export interface Appender {
  append(row: AppendRow): Promise<Appended>;
}

const maxTries = 3;

/** Runs one statement per append. */
export class PlainAppender implements Appender {
  private readonly text: string;
  private readonly name: string;
  private readonly viewColumns: readonly Column<AppendRow>[];

  constructor(
    private readonly pool: Pool,
    { view, guard }: { readonly view: InlineView<never>; readonly guard?: AppendGuard },
    private readonly onAppended: (rows: readonly AppendRow[]) => void,
  ) {
    this.text = appendText(view, guard);
    this.name = `append-${guard === undefined ? '' : 'guarded-'}${view.table}`;
    this.viewColumns = Object.entries(view.columns).map(([name, type]) => [
      type,
      (row) => columnValue(row.view[name], type),
    ]);
  }

  async append(row: AppendRow): Promise<Appended> {
    return this.appendAlone(row, async () => this.run([row], this.pool));
  }

  /** Retries an append whose batch failed, possibly for a lock, for which it waits at most 200 ms. */
  async appendAfterBatch(row: AppendRow): Promise<Appended> {
    return this.appendAlone(row, async () =>
      inTransaction(this.pool, async (client) => {
        await client.query("SET LOCAL lock_timeout = '200ms'");
        return this.run([row], client);
      }),
    );
  }

  /** Stores appends to different streams under different keys in one statement. An error fails all of them. */
  async appendTogether(rows: readonly AppendRow[]): Promise<Appended[]> {
    const outcomes = await this.run(rows, this.pool);
    const appended = rows.filter((_row, index) => outcomes[index] === 'appended');
    if (appended.length > 0) this.onAppended(appended);
    return outcomes;
  }

  private async appendAlone(row: AppendRow, run: () => Promise<Appended[]>): Promise<Appended> {
    for (let tries = 1; ; tries += 1) {
      try {
        const [outcome] = await run();
        if (outcome === undefined) throw new Error('an append returned no outcome');
        if (outcome === 'appended') this.onAppended([row]);
        return outcome;
      } catch (error) {
        if (isUniqueViolation(error)) return 'conflict';
        if (isLockTimeout(error) && row.idempotencyRecord !== undefined) return 'under-way';
        // Another instance with other hash keys claimed the key at the same time. The next attempt finds what
        // that instance stored.
        if (isNotNullViolation(error) && tries < maxTries) continue;
        if (!isTransient(error) || tries === maxTries) throw error;
      }
    }
  }

  private async run(rows: readonly AppendRow[], session: Pool | PoolClient): Promise<Appended[]> {
    const { rows: refused } = await session.query<NotAppended>({
      name: this.name,
      text: this.text,
      values: this.values(rows),
    });
    const keyTaken = new Map(refused.map(({ stream_id, key_taken }) => [stream_id, key_taken]));
    const outcomes: Appended[] = [];
    for (const row of rows) {
      const taken = keyTaken.get(row.streamId);
      outcomes.push(taken === undefined ? 'appended' : await this.readReason(row, taken, session));
    }
    return outcomes;
  }

  /** Returns why nothing was stored. An earlier answer takes precedence: its request may have advanced the stream. */
  private async readReason(
    { idempotencyRecord, idempotencyExpiresAt = '' }: AppendRow,
    keyTaken: boolean,
    session: Pool | PoolClient,
  ): Promise<Appended> {
    if (idempotencyRecord === undefined) return 'conflict';
    const dayBefore = new Date(Date.parse(idempotencyExpiresAt) - dayMs).toISOString();
    const earlier = await findEarlier(
      async (lookup) => findKey(session, lookup),
      idempotencyRecord,
      dayBefore,
    );
    return earlier ?? (keyTaken ? 'under-way' : 'conflict');
  }

  private values(unordered: readonly AppendRow[]): unknown[] {
    const rows = unordered.toSorted((one, other) => (one.streamId < other.streamId ? -1 : 1));
    const events = rows.flatMap((row) => row.events.map((event) => ({ ...event, streamId: row.streamId })));
    const further = rows.flatMap(furtherKeys);
    return [
      ...changeColumns.map(([type, value]) => binaryArray(type, rows.map(value))),
      ...furtherColumns.map(([type, value]) => binaryArray(type, further.map(value))),
      ...eventColumns.map(([type, value]) => binaryArray(type, events.map(value))),
      ...this.viewColumns.map(([type, value]) => binaryArray(type, rows.map(value))),
    ];
  }
}
