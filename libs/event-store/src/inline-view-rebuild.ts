import { upcastData } from '@xs2a/domain/event-types';
import { inTransaction } from '@xs2a/postgres/transaction';
import type { Pool, PoolClient } from 'pg';
import type { EventStore } from './event-store.js';
import type { ViewColumnType } from './inline-view.js';
import type { DomainEvent } from './prepare-append.js';
import type { StoredEvent } from './stored-event.js';
import { type StoredStream, storedStreams } from './stored-streams.js';

/** What a check needs of an event store. */
export type Folding<Event extends DomainEvent, State> = Pick<EventStore<Event, State>, 'folding'>;

/** One stream whose row in the status view is not what its events say. */
export interface ViewDifference {
  readonly streamId: string;
  /** Names of columns that differ; `row`: the row is missing, or there are no such events; `events`: they cannot be folded. */
  readonly columns: readonly string[];
}

interface Folded<State> {
  readonly streamId: string;
  readonly version: number;
  readonly state: State;
}

/** The state that stored events tell, older versions of them read in the shape of today. */
export const foldStored = <Event extends DomainEvent, State>(
  { folding: { evolve, eventTypes } }: Folding<Event, State>,
  events: readonly StoredEvent[],
): State | undefined =>
  events.reduce<State | undefined>((state, event) => {
    const data = eventTypes === undefined ? event.data : upcastData(eventTypes, event);
    return evolve(state, { type: event.type, data } as Event, event.occurredAt);
  }, undefined);

/**
 * Folds every stream from zero and compares with the status view (quality, invariant 5); none: they are equal. Each page is
 * one snapshot, so that it is right while the service works. At most 1,000 differences.
 */
export const inlineViewDifferences = async <Event extends DomainEvent, State>(
  pool: Pool,
  store: Folding<Event, State>,
): Promise<ViewDifference[]> => {
  const differences: ViewDifference[] = [];
  await eachPage(pool, async (client, page) => {
    const { folded, broken } = foldAll(store, page);
    differences.push(...broken.map(unfoldable));
    differences.push(...(await compare(client, store, folded)));
  });
  differences.push(...(await rowsWithoutEvents(pool, store.folding.view.table)));
  return differences.slice(0, 1000);
};

export interface Rebuilding {
  /** Hears after each page how many events were read. */
  readonly onProgress?: (events: number) => void;
  /** Ends it between two pages: what was written stays. Then it throws the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface Rebuilt {
  readonly written: number;
  /** What no events can tell: rows without events, and streams that cannot be folded. They are left as they are. */
  readonly left: readonly ViewDifference[];
}

/**
 * Writes the rows of the status view that differ anew from the events. Columns that no event tells are left alone, and so
 * are streams that were appended to meanwhile: their row is right again by that.
 */
export const rebuildInlineView = async <Event extends DomainEvent, State>(
  pool: Pool,
  store: Folding<Event, State>,
  { onProgress, signal }: Rebuilding = {},
): Promise<Rebuilt> => {
  const left: ViewDifference[] = [];
  let written = 0;
  let read = 0;
  await eachPage(pool, async (client, page) => {
    signal?.throwIfAborted();
    const { folded, broken } = foldAll(store, page);
    left.push(...broken.map(unfoldable));
    const wrong = new Set((await compare(client, store, folded)).map(({ streamId }) => streamId));
    const rows = folded.filter(({ streamId }) => wrong.has(streamId));
    if (rows.length > 0) written += await write(pool, store, rows);
    read += page.reduce((sum, { length }) => sum + length, 0);
    onProgress?.(read);
  });
  left.push(...(await rowsWithoutEvents(pool, store.folding.view.table)));
  return { written, left };
};

const unfoldable = (streamId: string): ViewDifference => ({ streamId, columns: ['events'] });

const eachPage = async (
  pool: Pool,
  take: (client: PoolClient, page: readonly StoredStream[]) => Promise<void>,
): Promise<void> => {
  let after: string | undefined;
  do {
    after = await inTransaction(pool, async (client) => {
      await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      const { value: page } = await storedStreams(client, { after }).next();
      if (page === undefined) return undefined;
      await take(client, page);
      return page.at(-1)?.[0].streamId;
    });
  } while (after !== undefined);
};

const foldAll = <Event extends DomainEvent, State>(
  store: Folding<Event, State>,
  page: readonly StoredStream[],
): { readonly folded: Folded<State>[]; readonly broken: string[] } => {
  const folded: Folded<State>[] = [];
  const broken: string[] = [];
  for (const stream of page) {
    const [{ streamId }] = stream;
    const state = attempt(() => foldStored(store, stream));
    if (state === undefined) broken.push(streamId);
    else folded.push({ streamId, version: stream.at(-1)?.version ?? 0, state });
  }
  return { folded, broken };
};

/** A stream whose lifecycle is broken cannot be folded: it is reported, and the others go on. */
const attempt = <Result>(work: () => Result): Result | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The rows as they should be, as a table expression named `told` over the parameters `$1…`. */
const toldRows = <Event extends DomainEvent, State>(
  { folding: { view } }: Folding<Event, State>,
  folded: readonly Folded<State>[],
): { readonly from: string; readonly names: readonly string[]; readonly values: unknown[] } => {
  const columns = Object.entries(view.columns);
  const names = ['version', 'state', ...columns.map(([name]) => name)];
  const types = ['uuid', 'int', 'jsonb', ...columns.map(([, type]) => type)];
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
  const rows = folded.map(({ state }) => view.row(state));
  return {
    from: `unnest(${arrays}) AS told (stream_id, ${names.map(quoted).join(', ')})`,
    names,
    values: [
      folded.map(({ streamId }) => streamId),
      folded.map(({ version }) => version),
      folded.map(({ state }) => JSON.stringify(state)),
      ...columns.map(([name, type]) => rows.map((row) => columnValue(row[name], type))),
    ],
  };
};

const columnValue = (value: unknown, type: ViewColumnType): unknown => {
  if (value === undefined || value === null) return null;
  return type === 'jsonb' ? JSON.stringify(value) : value;
};

const compare = async <Event extends DomainEvent, State>(
  client: PoolClient,
  store: Folding<Event, State>,
  folded: readonly Folded<State>[],
): Promise<ViewDifference[]> => {
  const { from, names, values } = toldRows(store, folded);
  // The state is stored as text, and equal texts are not the question.
  const stored = (name: string): string => `live.${quoted(name)}${name === 'state' ? '::jsonb' : ''}`;
  const differs = (name: string): string => `told.${quoted(name)} IS DISTINCT FROM ${stored(name)}`;
  const differing = names.map((name) => `CASE WHEN ${differs(name)} THEN '${name}' END`).join(', ');
  const { rows } = await client.query<{ stream_id: string; is_missing: boolean; columns: string[] }>(
    `SELECT stream_id, live.version IS NULL AS is_missing, array_remove(ARRAY[${differing}], NULL) AS columns
     FROM ${from} LEFT JOIN ${quoted(store.folding.view.table)} live USING (stream_id)
     WHERE ${names.map(differs).join(' OR ')}`,
    values,
  );
  return rows.map(({ stream_id: streamId, is_missing, columns }) => ({
    streamId,
    columns: is_missing ? ['row'] : columns,
  }));
};

const rowsWithoutEvents = async (pool: Pool, table: string): Promise<ViewDifference[]> => {
  const { rows } = await pool.query<{ stream_id: string }>(
    `SELECT stream_id FROM ${quoted(table)} v
     WHERE NOT EXISTS (SELECT FROM events e WHERE e.stream_id = v.stream_id) LIMIT 1000`,
  );
  return rows.map(({ stream_id: streamId }) => ({ streamId, columns: ['row'] }));
};

const write = async <Event extends DomainEvent, State>(
  pool: Pool,
  store: Folding<Event, State>,
  folded: readonly Folded<State>[],
): Promise<number> => {
  const { from, names, values } = toldRows(store, folded);
  const columns = names.map(quoted).join(', ');
  const table = quoted(store.folding.view.table);
  return inTransaction(pool, async (client) => {
    // Whoever appends to one of these streams now waits; whoever did before is seen by the next statement. A row that is
    // not there yet locks nobody out: one that an append inserts meanwhile is the newer one.
    const { rows: held } = await client.query<{ stream_id: string }>(
      `SELECT stream_id FROM ${table} WHERE stream_id = ANY($1::uuid[]) ORDER BY stream_id FOR UPDATE`,
      [folded.map(({ streamId }) => streamId)],
    );
    const { rowCount } = await client.query(
      `INSERT INTO ${table} AS live (stream_id, ${columns}) SELECT stream_id, ${columns} FROM ${from}
       WHERE version = (SELECT max(e.version) FROM events e WHERE e.stream_id = told.stream_id)
       ON CONFLICT (stream_id) DO UPDATE SET ${names.map((name) => `${quoted(name)} = excluded.${quoted(name)}`).join(', ')}
       WHERE live.stream_id = ANY($${values.length + 1}::uuid[])`,
      [...values, held.map(({ stream_id: streamId }) => streamId)],
    );
    return rowCount ?? 0;
  });
};
