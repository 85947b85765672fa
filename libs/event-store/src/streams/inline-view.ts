/** Types that a column of an inline view may have. */
export type ViewColumnType = 'text' | 'timestamptz' | 'jsonb' | 'bigint' | 'boolean' | 'date';

/**
 * The status view that is written together with the events, so that a read right after a write is right. Its table has
 * `stream_id uuid PRIMARY KEY, version int NOT NULL, last_hash bytea NOT NULL, state json NOT NULL` and the columns named
 * here; the service's role needs SELECT, INSERT and UPDATE on it. Further columns of the table are left alone.
 */
export interface InlineView<State> {
  readonly table: string;
  readonly columns: Readonly<Record<string, ViewColumnType>>;
  /** The names of those columns that follow from personal data: without master keys nobody knows what should be in them. */
  readonly personalColumns?: readonly string[];
  /** The columns' values; undefined becomes NULL, a jsonb value is given as plain JSON. */
  row(state: State): Readonly<Record<string, unknown>>;
}

/** The value of a column as a parameter. */
export const columnValue = (value: unknown, type: ViewColumnType): unknown => {
  if (value === undefined || value === null) return null;
  return type === 'jsonb' ? JSON.stringify(value) : value;
};
