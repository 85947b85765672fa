import type { PoolClient } from 'pg';

/** An event as a projection sees it: its data in the shape of today. */
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
 * Reads that a projection may use in addition to its events. Their answers follow only from events, so a
 * rebuild gets the same ones.
 */
export interface ProjectionReads {
  /** The first event of streams, by stream id: what it began with. */
  firstEvents(streamIds: readonly string[]): Promise<ReadonlyMap<string, ProjectedEvent>>;
}

/**
 * A read model that follows the log, a little behind. Readers use the view called `name`; behind it stands the table of
 * the build that is live.
 */
export interface Projection {
  readonly name: string;
  /** Raise it when the table or what `apply` writes changes; then rebuild. */
  readonly version: number;
  /** A sentence for operators about the purpose of the projection. */
  readonly purpose: string;
  /** The only event types it needs; absent: all. */
  readonly types?: readonly string[];
  /** The only event types whose data it reads; absent: all. The others come with `data` undefined. */
  readonly dataOf?: readonly string[];
  /** The table's columns and keys, as in CREATE TABLE. */
  readonly columns: string;
  /**
   * For a projection that adds up: its key and its sums. What archived events contributed is kept in the table `NAME_archived`, by
   * file, and a rebuild begins with it. Absent: a rebuild begins with nothing, and lacks what is archived.
   */
  readonly sums?: { readonly by: readonly string[]; readonly of: readonly string[] };
  /**
   * Writes the effect of events, in order of position, to `table` (quoted), set-wise. Each event comes once: the checkpoint
   * moves in the same transaction.
   */
  apply(
    client: PoolClient,
    table: string,
    events: readonly ProjectedEvent[],
    reads: ProjectionReads,
  ): Promise<void>;
}
