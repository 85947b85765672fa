import type { HashKeys } from '@xs2a/postgres/hash-keys';

/** The types that a column of an inline view may have. */
export type ViewColumnType = 'text' | 'timestamptz' | 'jsonb' | 'bigint' | 'boolean' | 'date';

/** Hashes personal data with a key that is not in the database, for columns whose values must not be guessable. */
export type ColumnHash = (text: string) => Buffer;

/** Returns the hash function for columns of the status views, using the current key. */
export const columnHash =
  ({ current }: HashKeys): ColumnHash =>
  (text) =>
    current.hmac('column', text);

/**
 * A status view that is written in the same transaction as the events, so that a read immediately after a write is
 * correct. Its table has `stream_id uuid PRIMARY KEY, version int NOT NULL, last_hash bytea NOT NULL, state json
 * NOT NULL` and the columns listed here; the service's role needs SELECT, INSERT and UPDATE on it. Other columns
 * of the table are left unchanged.
 */
export interface InlineView<State> {
  readonly table: string;
  readonly columns: Readonly<Record<string, ViewColumnType>>;
  /** The names of the columns derived from personal data. Without master keys, their expected values are unknown. */
  readonly personalColumns?: readonly string[];
  /** Columns created with {@link ColumnHash}; not compared with the events, because their keys are rotated. */
  readonly hashedColumns?: readonly string[];
  /** Returns the column values: undefined becomes NULL, jsonb is plain JSON. `hash` is absent without master keys. */
  row(state: State, hash?: ColumnHash): Readonly<Record<string, unknown>>;
}

/** Converts a column value to a query parameter. */
export const columnValue = (value: unknown, type: ViewColumnType): unknown => {
  if (value === undefined || value === null) return null;
  return type === 'jsonb' ? JSON.stringify(value) : value;
};
