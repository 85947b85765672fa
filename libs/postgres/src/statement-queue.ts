interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly keys: readonly string[];
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export interface StatementQueueOptions<Item, Outcome> {
  /**
   * Carries out a batch in one statement: an outcome for each item, in order, or the error of that item alone. Throws when
   * nothing was done or nobody knows.
   */
  readonly run: (batch: readonly Item[]) => Promise<readonly (Outcome | Error)[]>;
  /** What a statement may name once: an item waits for one before it that has a key of its own. */
  readonly keysOf: (item: Item) => readonly string[];
  readonly largestBatch: number;
}

/** Two keep PostgreSQL busy while Node prepares the next one. */
const statementsInFlight = 2;

/** Combines statements: items that arrive while statements are in flight go together in the next one. */
export class StatementQueue<Item, Outcome> {
  private waiting: Waiting<Item, Outcome>[] = [];
  private inFlight = 0;
  private scheduled = false;

  constructor(private readonly options: StatementQueueOptions<Item, Outcome>) {}

  async add(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, keys: this.options.keysOf(item), resolve, reject });
      if (this.scheduled) return;
      this.scheduled = true;
      queueMicrotask(() => {
        this.scheduled = false;
        this.flush();
      });
    });
  }

  /** Gives those that still wait their outcome without asking the database. */
  settle(isMeant: (item: Item) => boolean, outcome: Outcome): void {
    const left: Waiting<Item, Outcome>[] = [];
    for (const entry of this.waiting) {
      if (isMeant(entry.item)) entry.resolve(outcome);
      else left.push(entry);
    }
    this.waiting = left;
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

  private take(): Waiting<Item, Outcome>[] {
    const named = new Set<string>();
    const batch: Waiting<Item, Outcome>[] = [];
    const left: Waiting<Item, Outcome>[] = [];
    for (const entry of this.waiting) {
      if (batch.length === this.options.largestBatch || entry.keys.some((key) => named.has(key))) {
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
      if (outcomes.length !== batch.length) throw new RangeError('a statement gave an item no outcome');
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome instanceof Error) batch[index]?.reject(outcome);
        else batch[index]?.resolve(outcome);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
