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

/**
 * Reads that a projection may use in addition to its events. Their results depend only on events, so they are the
 * same in a rebuild.
 */
export interface ProjectionReads {
  /** Returns the first event of each stream, by stream id. */
  firstEvents(streamIds: readonly string[]): Promise<ReadonlyMap<string, ProjectedEvent>>;
}

/**
 * A read model that follows the log with a short delay. Readers use the view called `name`, which shows the table
 * of the live build.
 */
export interface Projection {
  readonly name: string;
  /** Must be incremented, followed by a rebuild, when the table or the output of `apply` changes. */
  readonly version: number;
  /** One sentence that explains the projection's purpose to operators. */
  readonly purpose: string;
  /** The event types that the projection needs. If absent, it needs all. */
  readonly types?: readonly string[];
  /**
   * The event types whose data the projection reads. If absent, it reads the data of all types. For other events,
   * `data` is undefined.
   */
  readonly dataOf?: readonly string[];
  /** The table's columns and keys, as in CREATE TABLE. */
  readonly columns: string;
  /**
   * For a projection that stores sums: its key columns and its sum columns. The contributions of archived events
   * are stored per file in the table `NAME_archived`, and a rebuild starts from them. If absent, a rebuild starts
   * with an empty table and lacks archived events.
   */
  readonly sums?: { readonly by: readonly string[]; readonly of: readonly string[] };
  /**
   * Writes the effect of events, in order of position, to `table` (quoted name), with set-based SQL. Each event is
   * passed exactly once, because the checkpoint is updated in the same transaction.
   */
  apply(
    client: PoolClient,
    table: string,
    events: readonly ProjectedEvent[],
    reads: ProjectionReads,
  ): Promise<void>;
}
