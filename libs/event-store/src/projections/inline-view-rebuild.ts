import { upcastData } from '@xs2a/events/event-types';
import { inTransaction } from '@xs2a/postgres/transaction';
import { MasterKeyMissing } from '@xs2a/runtime/master-keys';
import type { Pool, PoolClient } from 'pg';
import { unfinishedMonths } from '../months/archived-months.js';
import { isDetached, oldestMonth } from '../months/event-months.js';
import type { EventStore } from '../streams/event-store.js';
import { idempotencyPurpose } from '../streams/idempotency-records.js';
import { columnHash, columnValue } from '../streams/inline-view.js';
import type { DomainEvent } from '../streams/prepare-append.js';
import { quotedName } from '../streams/quoted-name.js';
import type { StoredEvent } from '../streams/stored-event.js';
import { type StoredStream, storedStreams } from '../streams/stored-streams.js';
import { truncatedStreams } from '../verification/verify-log.js';
import { canonicalJson } from '../streams/hash-chain.js';
import { markIn, readState, storedState, withoutMark } from '../streams/view-state.js';
import { isEncrypted } from '../encryption/encrypted-members.js';
import { encryptedMember } from '@xs2a/events/personal-members';
import {
  decryptStored,
  placeOfEvent,
  readStreamKeys,
  type StreamKey,
  unwrapped,
} from '../encryption/stream-keys.js';

/** The parts of an event store that a check uses. */
export type Folding = Pick<EventStore<DomainEvent, unknown>, 'folding'>;

/** A stream whose row in the status view does not match its events. */
export interface ViewDifference {
  readonly streamId: string;
  /**
   * Names of columns that differ, or `row` (the row is missing or has no events), `events` (the events cannot be
   * folded), or `key` (the key of the stream's personal data is missing although the stream was not erased).
   */
  readonly columns: readonly string[];
}

interface Folded {
  readonly streamId: string;
  readonly version: number;
  readonly lastHash: Buffer;
  readonly state: unknown;
  readonly key: StreamKey | undefined;
}

/** Some streams folded from their events, and how they differ from the status view. */
interface ComparedPage {
  readonly events: number;
  readonly folded: readonly Folded[];
  /** Streams whose events violate the lifecycle. */
  readonly broken: readonly ViewDifference[];
  readonly wrong: readonly ViewDifference[];
  /** True if the stream belongs to a month that is being archived or restored. */
  readonly isMoving: (streamId: string) => boolean;
}

/** Folds stored events into a state. Events of older versions are read in the current shape. */
export const foldStored = (
  { folding: { evolve, eventTypes } }: Folding,
  events: readonly StoredEvent[],
): unknown =>
  events.reduce<unknown>((state, event) => {
    const read = { type: event.type, data: upcastData(eventTypes, event) };
    return evolve(state, read, event.occurredAt);
  }, undefined);

/**
 * Folds every stream from its first event and compares it with the status view (quality, invariant 5). Returns at
 * most 1,000 differences, or an empty list if all streams match. Each page is one snapshot, so the result is
 * correct while the service runs. Without master keys, personal data are not compared.
 */
export const inlineViewDifferences = async (pool: Pool, store: Folding): Promise<ViewDifference[]> => {
  const differences: ViewDifference[] = [];
  for await (const { broken, wrong, isMoving } of comparedPages(pool, store))
    differences.push(
      ...broken,
      ...wrong.filter(({ streamId }) => !isMoving(streamId)).flatMap(withoutVersion),
    );
  differences.push(...(await rowsWithoutEvents(pool, store.folding.view.table)));
  return differences.slice(0, 1000);
};

export interface Rebuilding {
  /** Called after each page with the number of events read so far. */
  readonly onProgress?: (events: number) => void;
  /** Limits the rebuild to streams with an id above the first and below the second. */
  readonly between?: readonly [string, string];
  /** Limits the rebuild to one stream. */
  readonly only?: string;
  /** Stops between two pages and throws the signal's reason; rows already written stay. */
  readonly signal?: AbortSignal;
}

export interface Rebuilt {
  readonly written: number;
  /** Rows without events, and rows of streams whose events cannot be folded. These rows stay unchanged. */
  readonly left: readonly ViewDifference[];
}

/**
 * Rewrites the rows of the status view that differ from the events. Keeps columns that are not derived from
 * events. Skips streams to which events were appended in the meantime, because the append has corrected their row.
 */
export const rebuildInlineView = async (
  pool: Pool,
  store: Folding,
  { onProgress, only, between = only === undefined ? undefined : neighbours(only), signal }: Rebuilding = {},
): Promise<Rebuilt> => {
  // A row that was folded without the personal data must never be written.
  const { eventTypes, personalData } = store.folding;
  if (personalData === undefined && Object.values(eventTypes).some(({ fields }) => fields !== undefined))
    throw new TypeError('writing the status view needs the master keys');
  const left: ViewDifference[] = [];
  let written = 0;
  let read = 0;
  for await (const { events, folded, broken, wrong } of comparedPages(pool, store, between)) {
    signal?.throwIfAborted();
    left.push(...broken);
    const differing = new Set(wrong.map(({ streamId }) => streamId));
    const rows = folded.filter(({ streamId }) => differing.has(streamId));
    if (rows.length > 0) written += await write(pool, store, rows);
    read += events;
    onProgress?.(read);
  }
  if (between === undefined) left.push(...(await rowsWithoutEvents(pool, store.folding.view.table)));
  return { written, left };
};

/** Returns the ids directly before and after a stream's id. */
const neighbours = (streamId: string): readonly [string, string] => {
  const number = BigInt(`0x${streamId.replaceAll('-', '')}`);
  return [toId(number - 1n), toId(number + 1n)];
};

const toId = (number: bigint): string =>
  number
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Yields all streams, page by page, each in a snapshot that ends before the page is yielded. */
async function* comparedPages(
  pool: Pool,
  store: Folding,
  [behind, below]: readonly [string?, string?] = [],
): AsyncGenerator<ComparedPage> {
  for (let after = behind; ;) {
    const page = await inTransaction(pool, async (client) => {
      await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      const { value: streams } = await storedStreams(client, after, below).next();
      if (streams === undefined) return undefined;
      after = streams.at(-1)?.[0].streamId;
      const keys = await readStreamKeys(
        client,
        streams.map((stream: StoredStream) => stream[0].streamId),
      );
      const { folded, broken } = foldAll(store, streams, keys);
      const wrong = await compare(client, store, folded);
      const isMoving = await unfinishedMonths(client);
      return { events: streams.flat().length, folded, broken, wrong, isMoving };
    });
    if (page === undefined) return;
    yield page;
  }
}

const foldAll = (
  store: Folding,
  streams: readonly StoredStream[],
  keys: ReadonlyMap<string, Buffer | null>,
): { readonly folded: Folded[]; readonly broken: ViewDifference[] } => {
  const folded: Folded[] = [];
  const broken: ViewDifference[] = [];
  const { beginnings, personalData } = store.folding;
  for (const stream of streams) {
    // The stream belongs to another store in the same schema.
    if (beginnings !== undefined && !beginnings.includes(stream[0].type)) continue;
    const { streamId, version, hash: lastHash } = stream.at(-1) ?? stream[0];
    const wrapped = keys.get(streamId);
    // An erased stream has no row.
    if (wrapped === null) continue;
    if (wrapped === undefined && stream.some(({ data }) => isEncrypted(data))) {
      broken.push({ streamId, columns: ['key'] });
      continue;
    }
    try {
      const key = unwrapped(wrapped, personalData);
      const events = stream.map((event) => opened(event, key));
      folded.push({ streamId, version, lastHash, key, state: foldStored(store, events) });
    } catch (error) {
      // A missing master key is not damage to the stream.
      if (error instanceof MasterKeyMissing) throw error;
      broken.push({ streamId, columns: ['events'] });
    }
  }
  return { folded, broken };
};

/** The event with its personal data decrypted or, without the key, left out. */
const opened = (event: StoredEvent, key: StreamKey | undefined): StoredEvent => {
  const { streamId, eventId, data } = event;
  if (!isEncrypted(data)) return event;
  const { [encryptedMember]: _encrypted, ...plain } = data;
  const place = placeOfEvent(eventId);
  return { ...event, data: key === undefined ? plain : decryptStored(data, { streamId, place, key }) };
};

/** Returns the expected rows as a table expression named `expected` with the parameters `$1…`. */
const expectedRows = (
  store: Folding,
  folded: readonly Folded[],
): { readonly from: string; readonly names: readonly string[]; readonly values: unknown[] } => {
  const { view, stateVersion, personalData } = store.folding;
  // Without the master keys, the values of columns with personal data are unknown.
  const columns = Object.entries(view.columns).filter(
    ([name]) => personalData !== undefined || view.personalColumns?.includes(name) !== true,
  );
  const names = ['version', 'last_hash', 'state', ...columns.map(([name]) => name)];
  const types = ['uuid', 'int', 'bytea', 'jsonb', ...columns.map(([, type]) => type)];
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
  const hash = personalData && columnHash(personalData.masterKeys.hashKeys(idempotencyPurpose));
  const rows = folded.map(({ state }) => view.row(state, hash));
  return {
    from: `unnest(${arrays}) AS expected (stream_id, ${names.map(quotedName).join(', ')})`,
    names,
    values: [
      folded.map(({ streamId }) => streamId),
      folded.map(({ version }) => version),
      folded.map(({ lastHash }) => lastHash),
      folded.map(({ state, ...stream }) => storedState(state, { ...stream, stateVersion, personalData })),
      ...columns.map(([name, type]) => rows.map((row) => columnValue(row[name], type))),
    ],
  };
};

/** Marks a difference that does not affect content: the state was folded by a release with another state version. */
const mark = 'state version';
const unlike = (one: string, other: string): string => `${one} IS DISTINCT FROM ${other}`;
/** The state is stored as text but compared by value. */
const differs = (name: string, unread: readonly string[]): string =>
  name === mark
    ? unlike(markIn('expected.state'), markIn('live.state'))
    : name === 'state'
      ? unlike(withoutMark('expected.state'), withoutMark('live.state', unread))
      : unlike(`expected.${quotedName(name)}`, `live.${quotedName(name)}`);

/** A state of another version is folded again whenever it is read, so only a rebuild treats it as a difference. */
const withoutVersion = ({ streamId, columns }: ViewDifference): ViewDifference[] => {
  const others = columns.filter((name) => name !== mark);
  return others.length === 0 ? [] : [{ streamId, columns: others }];
};

const compare = async (
  client: PoolClient,
  store: Folding,
  folded: readonly Folded[],
): Promise<ViewDifference[]> => {
  const { from, names: columns, values } = expectedRows(store, folded);
  const { hashedColumns = [] } = store.folding.view;
  const names = [...columns.filter((name) => !hashedColumns.includes(name)), mark];
  const unread = store.folding.personalData === undefined ? [encryptedMember] : [];
  const differing = names.map((name) => `CASE WHEN ${differs(name, unread)} THEN '${name}' END`).join(', ');
  const { rows } = await client.query<ComparedRow>(
    `SELECT stream_id, live.version IS NULL AS is_missing, live.state, NULL AS stream_key, array_remove(ARRAY[${differing}], NULL) AS columns
     FROM ${from} LEFT JOIN ${quotedName(store.folding.view.table)} live USING (stream_id)
     WHERE ${names.map((name) => differs(name, unread)).join(' OR ')}`,
    values,
  );
  const states = new Map(folded.map((one) => [one.streamId, one]));
  return rows.flatMap((row) => {
    const { stream_id: streamId, is_missing, columns: found } = row;
    if (is_missing) return [{ streamId, columns: ['row'] }];
    const others = found.filter((name) => name !== 'state' || !saysTheSame(row, states.get(streamId)));
    return others.length === 0 ? [] : [{ streamId, columns: others }];
  });
};

interface ComparedRow {
  readonly stream_id: string;
  readonly is_missing: boolean;
  readonly state: unknown;
  readonly stream_key: null;
  readonly columns: readonly string[];
}

/** True if the content is the same: another version of zlib may have compressed it to different bytes. */
const saysTheSame = ({ stream_id, state, stream_key }: ComparedRow, folded: Folded | undefined): boolean => {
  if (folded?.key === undefined) return false;
  const { key, version } = folded;
  try {
    const live = readState({ stream_id, version, state, stream_key }, { stateVersion: 0, key });
    return canonicalJson(live.state) === canonicalJson(folded.state);
  } catch {
    // A value that cannot be decrypted has been changed, so it differs.
    return false;
  }
};

const rowsWithoutEvents = async (pool: Pool, table: string): Promise<ViewDifference[]> => {
  const oldest = await oldestMonth(pool);
  const found: ViewDifference[] = [];
  await truncatedStreams(pool, table, ({ streamId = '', version }) => {
    // Version 1 is missing, so the stream has no events at all.
    if (version === 1 && !isDetached(streamId, oldest)) found.push({ streamId, columns: ['row'] });
  });
  return found.slice(0, 1000);
};

const write = async (pool: Pool, store: Folding, folded: readonly Folded[]): Promise<number> => {
  const { from, names, values } = expectedRows(store, folded);
  const columns = names.map(quotedName).join(', ');
  const table = quotedName(store.folding.view.table);
  return inTransaction(pool, async (client) => {
    // From here on, an append to one of these streams waits, and the next statement sees any append that came
    // first. A row that does not exist yet cannot be locked; if an append inserts one in the meantime, that
    // row is the newer one.
    const { rows: held } = await client.query<{ stream_id: string }>(
      `SELECT stream_id FROM ${table} WHERE stream_id = ANY($1::uuid[]) ORDER BY stream_id FOR UPDATE`,
      [folded.map(({ streamId }) => streamId)],
    );
    // A stream that was erased after it was read must not reappear in the view.
    const { rowCount } = await client.query(
      `INSERT INTO ${table} AS live (stream_id, ${columns}) SELECT stream_id, ${columns} FROM ${from}
       WHERE version = (SELECT max(e.version) FROM events e WHERE e.stream_id = expected.stream_id)
         AND NOT EXISTS (SELECT FROM stream_key k WHERE k.stream_id = expected.stream_id AND k.wrapped IS NULL)
       ON CONFLICT (stream_id) DO UPDATE SET ${names.map((name) => `${quotedName(name)} = excluded.${quotedName(name)}`).join(', ')}
       WHERE live.stream_id = ANY($${values.length + 1}::uuid[])`,
      [...values, held.map(({ stream_id: streamId }) => streamId)],
    );
    return rowCount ?? 0;
  });
};
