import type { PoolClient } from 'pg';

/** An event as passed to a projection, with its data in the current schema version. */
export interface ProjectedEvent<Event extends { readonly type: string; readonly data: unknown } = AnyEvent> {
  readonly pos: number;
  readonly streamId: string;
  readonly version: number;
  readonly type: Event['type'];
  readonly data: Event['data'];
  /** Epoch milliseconds. */
  readonly atMs: number;
}
interface AnyEvent {
  readonly type: string;
  readonly data: unknown;
}

/** Additional reads for a projection. They depend only on events, so their results are the same in a rebuild. */
export interface ProjectionReads {
  /** Returns the first event of each stream, by stream id. */
  firstEvents(streamIds: readonly string[]): Promise<ReadonlyMap<string, ProjectedEvent>>;
  /** Returns the event of a type that occurs at most once in a stream, by stream id. Other streams are absent. */
  eventsOfType(type: string, streamIds: readonly string[]): Promise<ReadonlyMap<string, ProjectedEvent>>;
}

/** The rows that a projection writes: those of one month in one table. */
interface ProjectedRows {
  /** Quoted name. */
  readonly table: string;
  /** The month (UTC) in which the streams of the events began, for example `2027-03`. */
  readonly month: string;
}

/**
 * Sums that follow the log with a short delay. A row belongs to one month of streams, so that a month can be rebuilt
 * from its events alone, and stays as it is when the month has been archived.
 */
export interface Projection {
  /** The name of its table. */
  readonly name: string;
  /** Must be incremented, followed by a rebuild, when the table or the output of `apply` changes. At least 1. */
  readonly version: number;
  /** One sentence that explains the projection's purpose to operators. */
  readonly purpose: string;
  /** The event types that the projection needs. If absent, it needs all. */
  readonly types?: readonly string[];
  /** The event types whose `data` the projection reads; for others it is undefined. If absent, it reads all. */
  readonly dataOf?: readonly string[];
  /** The table's columns other than `month`, as in CREATE TABLE. */
  readonly columns: string;
  /** The columns that identify a row within its month. */
  readonly key: readonly string[];
  /**
   * Adds the effect of events of one month to its rows, with set-based SQL. Each event is passed exactly once, because
   * the checkpoint is updated in the same transaction. The result must not depend on the order of the events.
   */
  apply(
    client: PoolClient,
    rows: ProjectedRows,
    events: readonly ProjectedEvent[],
    reads: ProjectionReads,
  ): Promise<void>;
}
