import { isTooSlow } from './errors.js';

/**
 * Processes due work in batches of limited size. A batch that exceeds the statement timeout is retried at a
 * quarter of the size, down to a single row. The work therefore makes progress, however much is due and however
 * slow the database is.
 */
export class Batches {
  private size: number;

  constructor(private readonly max: number) {
    this.size = max;
  }

  /**
   * Runs one batch of at most `limit` rows. Rethrows the errors of `work`, but a timeout only if the batch was a
   * single row.
   */
  async next<Result>(work: (limit: number) => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        const result = await work(this.size);
        this.size = Math.min(this.max, this.size + Math.ceil(this.max / 16));
        return result;
      } catch (error) {
        if (!isTooSlow(error) || this.size === 1) throw error;
        this.size = Math.max(1, Math.floor(this.size / 4));
      }
    }
  }

  /** Runs batches until one finds nothing to do; returns the total number of items processed. */
  async all(work: (limit: number) => Promise<number>): Promise<number> {
    for (let total = 0; ;) {
      const done = await this.next(work);
      total += done;
      if (done === 0) return total;
    }
  }
}

/** Runs all tasks even if some fail, then throws the first error. */
export const settleEach = async (works: readonly (() => Promise<unknown>)[]): Promise<void> => {
  const errors: unknown[] = [];
  for (const work of works) await work().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
};
