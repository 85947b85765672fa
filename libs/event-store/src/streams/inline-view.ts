import type { HashKeys } from '@xs2a/postgres/hash-keys';

/** Types that a column of an inline view may have. */
export type ViewColumnType = 'text' | 'timestamptz' | 'jsonb' | 'bigint' | 'boolean' | 'date';

/** Hashes personal data under a key that is not in the database, for a column that no guess may open. */
export type ColumnHash = (text: string) => Buffer;

/** The hash for columns of the status views, under the current key. */
export const columnHash =
  ({ current }: HashKeys): ColumnHash =>
  (text) =>
    current.hmac('column', text);

/**
 * The status view that is written together with the events, so that a read right after a write is right. Its table has
 * `stream_id uuid PRIMARY KEY, version int NOT NULL, last_hash bytea NOT NULL, state json NOT NULL` and the columns named
 * here; the service's role needs SELECT, INSERT and UPDATE on it. Further columns of the table are not changed.
 */
export interface InlineView<State> {
  readonly table: string;
  readonly columns: Readonly<Record<string, ViewColumnType>>;
  /** The names of those columns that follow from personal data: without master keys nobody knows what should be in them. */
  readonly personalColumns?: readonly string[];
  /** The names of columns made with {@link ColumnHash}. Keys are replaced, so these columns are not compared with the events. */
  readonly hashedColumns?: readonly string[];
  /** The columns' values; undefined becomes NULL, a jsonb value is given as plain JSON. `hash` is absent without master keys. */
  row(state: State, hash?: ColumnHash): Readonly<Record<string, unknown>>;
}

/** The value of a column as a parameter. */
export const columnValue = (value: unknown, type: ViewColumnType): unknown => {
  if (value === undefined || value === null) return null;
  return type === 'jsonb' ? JSON.stringify(value) : value;
};
