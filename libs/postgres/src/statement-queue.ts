interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly keys: readonly string[];
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export interface StatementQueueOptions<Item, Outcome> {
  /**
   * Runs a batch in one statement, or in one call, and returns, in order, the result or the error of each item. Throws if nothing
   * was done or the outcome is unknown.
   */
  readonly run: (batch: readonly Item[]) => Promise<readonly (Outcome | Error)[]>;
  /**
   * Returns the keys that may occur only once per statement: an item waits for any earlier item that shares a key
   * with it.
   */
  readonly keysOf?: (item: Item) => readonly string[];
  readonly maxBatch: number;
  /** The number of statements in flight; default: two. */
  readonly inFlight?: number;
  /** Milliseconds after which a statement counts no longer, so that one that waits does not hold up the other items. */
  readonly patienceMs?: number;
}

/** Two statements in flight keep PostgreSQL busy while Node prepares the next one. */
const twoInFlight = 2;
/** Below this number of items, a separate statement is not worthwhile. */
const minShare = 4;

/**
 * Combines items into shared statements. Items that arrive in the same turn of the event loop, or while statements
 * are running, are batched. Waiting items are divided among all statements that may start: callers that receive
 * results together also send their next items together, so a single statement for all of them would leave the
 * other connections idle.
 */
export class StatementQueue<Item, Outcome> {
  private waiting: Waiting<Item, Outcome>[] = [];
  private inFlight = 0;
  private scheduled = false;

  constructor(private readonly options: StatementQueueOptions<Item, Outcome>) {}

  async add(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, keys: this.options.keysOf?.(item) ?? [], resolve, reject });
      if (this.scheduled) return;
      this.scheduled = true;
      setImmediate(() => {
        this.scheduled = false;
        this.flush();
      });
    });
  }

  private flush(): void {
    const { inFlight = twoInFlight, patienceMs } = this.options;
    while (this.inFlight < inFlight && this.waiting.length > 0) {
      const share = Math.ceil(this.waiting.length / (inFlight - this.inFlight));
      const batch = this.take(Math.min(Math.max(share, minShare), this.options.maxBatch));
      this.inFlight += 1;
      let counts = true;
      const end = (): void => {
        if (!counts) return;
        counts = false;
        this.inFlight -= 1;
        this.flush();
      };
      const impatience = patienceMs === undefined ? undefined : setTimeout(end, patienceMs);
      void this.send(batch).finally(() => {
        clearTimeout(impatience);
        end();
      });
    }
  }

  private take(max: number): Waiting<Item, Outcome>[] {
    const named = new Set<string>();
    const batch: Waiting<Item, Outcome>[] = [];
    const left: Waiting<Item, Outcome>[] = [];
    for (const entry of this.waiting) {
      if (batch.length === max || entry.keys.some((key) => named.has(key))) {
        left.push(entry);
        continue;
      }
      for (const key of entry.keys) named.add(key);
      batch.push(entry);
    }
    this.waiting = left;
    return batch;
  }

  private async send(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.options.run(batch.map(({ item }) => item));
      if (outcomes.length !== batch.length) throw new RangeError('a statement returned too few outcomes');
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome instanceof Error) batch[index]?.reject(outcome);
        else batch[index]?.resolve(outcome);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
