/**
 * Runs at most `slots` hashes at the same time and the others in the order in which they came. A hash occupies one of libuv's
 * threads for as long as it is computed, and new database connections need one too.
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
      // The slot goes to the hash that waits longest, without being free in between.
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}

/** Two of libuv's threads stay free for other work; it has 4 unless the environment says otherwise. */
export const hashesAtOnce = (threads: string | undefined): number =>
  Math.max(1, Math.trunc(Number(threads ?? 4) || 4) - 2);
