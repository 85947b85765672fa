import type { Pool, PoolClient } from 'pg';
import type { LogPage, ProjectionLog } from './projection-log.js';
import type { ProjectedEvent, Projection, ProjectionReads } from './projection.js';

/** The union of lists; undefined, which stands for everything, when one of them is that. */
const union = (lists: readonly (readonly string[] | undefined)[]): readonly string[] | undefined =>
  lists.includes(undefined) ? undefined : [...new Set(lists.flatMap((list) => list ?? []))];

/**
 * What several projections read of the log as far as `head`: the last stretch, and the first events asked for with it, are
 * kept, so that projections that stand at the same position read them once. Events and their positions never change.
 */
export class LogRound {
  private last: LogPage | undefined;
  private readonly begun = new Map<string, ProjectedEvent>();
  private readonly types: readonly string[] | undefined;
  private readonly dataOf: readonly string[] | undefined;

  constructor(
    private readonly log: ProjectionLog,
    projections: readonly Projection[],
    private readonly extent: { readonly head: number; readonly size: number },
  ) {
    this.types = union(projections.map(({ types }) => types));
    this.dataOf = union(projections.map(({ dataOf }) => dataOf));
  }

  get head(): number {
    return this.extent.head;
  }

  /** The stretch after `from`, with the events that any of the projections needs. */
  async page(session: Pool | PoolClient, from: number): Promise<LogPage> {
    if (this.last?.from === from) return this.last;
    this.begun.clear();
    const { types, dataOf } = this;
    this.last = await this.log.page(session, { ...this.extent, from, types, dataOf });
    return this.last;
  }

  reads(session: Pool | PoolClient): ProjectionReads {
    return {
      firstEvents: async (streamIds) => {
        const missing = streamIds.filter((id) => !this.begun.has(id));
        const read = await this.log.reads(session).firstEvents(missing);
        for (const [id, event] of read) this.begun.set(id, event);
        return this.begun;
      },
    };
  }
}
