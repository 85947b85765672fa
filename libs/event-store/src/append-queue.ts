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

interface Waiting {
  readonly row: AppendRow;
  readonly resolve: (outcome: Appended) => void;
  readonly reject: (error: unknown) => void;
}

/** Appends in one statement; two is what kept PostgreSQL busy while Node prepares the next one. */
const statementsInFlight = 2;
const largestBatch = 128;

const attemptKey = ({ attempt }: AppendRow): string | undefined =>
  attempt && JSON.stringify([attempt.tppId, attempt.path, attempt.key]);

/**
 * Combines appends: those that arrive while statements are in flight go together in the next one. A batch names each
 * stream and each idempotency key once; a second append to the same stream waits for the first.
 */
export class AppendQueue {
  private waiting: Waiting[] = [];
  private inFlight = 0;
  private scheduled = false;

  /** `run` answers one outcome per row, in order, or throws when nothing was appended or nobody knows. */
  constructor(
    private readonly run: (rows: readonly AppendRow[]) => Promise<(Appended | Error)[]>,
    private readonly onAppended: () => void,
  ) {}

  add(row: AppendRow): Promise<Appended> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ row, resolve, reject });
      if (this.scheduled) return;
      this.scheduled = true;
      queueMicrotask(() => {
        this.scheduled = false;
        this.flush();
      });
    });
  }

  private flush(): void {
    while (this.inFlight < statementsInFlight && this.waiting.length > 0) {
      const batch = this.take();
      this.inFlight += 1;
      void this.send(batch).finally(() => {
        this.inFlight -= 1;
        this.flush();
      });
    }
  }

  private take(): Waiting[] {
    const streams = new Set<string>();
    const attempts = new Set<string>();
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    for (const entry of this.waiting) {
      const key = attemptKey(entry.row);
      const repeated = streams.has(entry.row.streamId) || (key !== undefined && attempts.has(key));
      if (repeated || batch.length === largestBatch) {
        left.push(entry);
        continue;
      }
      streams.add(entry.row.streamId);
      if (key !== undefined) attempts.add(key);
      batch.push(entry);
    }
    this.waiting = left;
    return batch;
  }

  private async send(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.run(batch.map(({ row }) => row));
      if (outcomes.includes('appended')) this.onAppended();
      for (const [index, { row, resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index] ?? new Error('an append got no outcome');
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
        if (outcome === 'appended') this.refuseOvertaken(row);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** Those that waited to append the same versions are in conflict now; no need to ask the database. */
  private refuseOvertaken(done: AppendRow): void {
    const overtaken = ({ row }: Waiting): boolean =>
      row.streamId === done.streamId && row.attempt === undefined && firstVersion(row) <= done.version;
    for (const entry of this.waiting) if (overtaken(entry)) entry.resolve('conflict');
    this.waiting = this.waiting.filter((entry) => !overtaken(entry));
  }
}

const firstVersion = (row: AppendRow): number => row.version - row.events.length + 1;
