/**
 * Runs at most `slots` hashes concurrently and queues the others in order of arrival. A hash occupies a libuv
 * thread while it is computed, and new database connections need one too.
 */
export class HashingSlots {
  private readonly waiting: (() => void)[] = [];
  private free: number;

  constructor(slots: number) {
    this.free = slots;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The slot passes directly to the hash that has waited longest.
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}

/**
 * The number of concurrent hashes. Two libuv threads remain available for other work; libuv has 4 threads unless
 * the environment sets a different number.
 */
export const hashesAtOnce = (threads: string | undefined): number =>
  Math.max(1, Math.trunc(Number(threads ?? 4) || 4) - 2);
