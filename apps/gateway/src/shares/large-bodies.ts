/** Larger bodies come from bulk payments: each costs as much as hundreds of single payments. */
const largeBytes = 64 * 1024;
/** Max large bodies of a TPP that are processed at once. */
const atOnce = 2;

interface Lane {
  busy: number;
  readonly waiting: (() => void)[];
}

/**
 * Large bodies of one TPP are queued first come, first served, so that a request of another TPP competes with at
 * most two bulk payments, however many are sent at once. They count towards their TPP's share while they wait,
 * before they are parsed.
 */
export class LargeBodies {
  private readonly lanes = new Map<string, Lane>();

  /** Runs the work for a body of this TPP; if the body is large, waits for its turn. */
  async inTurn<Result>(tppId: string, bytes: number, work: () => Promise<Result>): Promise<Result> {
    if (bytes <= largeBytes) return work();
    await this.enter(tppId);
    try {
      return await work();
    } finally {
      this.leave(tppId);
    }
  }

  private async enter(tppId: string): Promise<void> {
    const lane = this.lanes.get(tppId) ?? { busy: 0, waiting: [] };
    this.lanes.set(tppId, lane);
    if (lane.busy < atOnce) {
      lane.busy += 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    lane.waiting.push(resolve);
    await promise;
  }

  private leave(tppId: string): void {
    const lane = this.lanes.get(tppId);
    if (lane === undefined) return;
    const next = lane.waiting.shift();
    if (next !== undefined) return next();
    lane.busy -= 1;
    if (lane.busy === 0) this.lanes.delete(tppId);
  }
}
