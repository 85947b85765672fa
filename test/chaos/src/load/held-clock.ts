/** Allows the sandbox clock to move only while no caller holds it. */
export class HeldClock {
  private holders = 0;
  private readonly moves = new Set<Promise<unknown>>();
  private released = Promise.withResolvers<void>();

  get isHeld(): boolean {
    return this.holders > 0;
  }

  /** Runs `work` once all moves in progress have finished. No other move starts before `work` is done. */
  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.holders === 0) this.released = Promise.withResolvers();
    this.holders += 1;
    try {
      await Promise.allSettled(this.moves);
      return await work();
    } finally {
      this.holders -= 1;
      if (this.holders === 0) this.released.resolve();
    }
  }

  /** Runs `move` once no caller holds the clock. */
  async move<Result>(move: () => Promise<Result>): Promise<Result> {
    while (this.isHeld) await this.released.promise;
    const moving = move();
    this.moves.add(moving);
    try {
      return await moving;
    } finally {
      this.moves.delete(moving);
    }
  }
}
