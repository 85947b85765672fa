import { StatementQueue } from '@xs2a/postgres/statement-queue';
import type { AppendRow } from './append-statement.js';

/** What became of one append. */
export type Appended =
  | 'appended'
  /** Somebody else appended to the stream first: load, decide again. */
  | 'conflict'
  /** The same attempt was answered before: answer that again. */
  | { readonly replay: unknown }
  /** The idempotency key was used with another body. */
  | 'attempt-reused'
  /** The first attempt with this key did not end in time (1.7 s). */
  | 'under-way';

const largestBatch = 128;

/**
 * Combines appends that arrive together. A batch names each stream and each idempotency key once; a second append to the
 * same stream waits for the first.
 */
export class AppendQueue {
  private readonly queue: StatementQueue<AppendRow, Appended>;

  /** `run` answers one outcome per row, in order, or throws when nothing was appended or nobody knows. */
  constructor(run: (rows: readonly AppendRow[]) => Promise<(Appended | Error)[]>, onAppended: () => void) {
    this.queue = new StatementQueue({
      largestBatch,
      keysOf,
      run: async (rows) => {
        const outcomes = await run(rows);
        if (outcomes.includes('appended')) onAppended();
        for (const [index, row] of rows.entries())
          if (outcomes[index] === 'appended') this.refuseOvertaken(row);
        return outcomes;
      },
    });
  }

  async add(row: AppendRow): Promise<Appended> {
    return this.queue.add(row);
  }

  /** Those that waited to append the same versions are in conflict now; no need to ask the database. */
  private refuseOvertaken({ streamId, version }: AppendRow): void {
    this.queue.settle(
      (row) => row.streamId === streamId && row.attempt === undefined && firstVersion(row) <= version,
      'conflict',
    );
  }
}

const keysOf = ({ streamId, attempt }: AppendRow): string[] =>
  attempt === undefined ? [streamId] : [streamId, JSON.stringify([attempt.tppId, attempt.path, attempt.key])];

const firstVersion = (row: AppendRow): number => row.version - row.events.length + 1;
