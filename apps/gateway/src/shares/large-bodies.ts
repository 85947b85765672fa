/** Only bulk payments have larger bodies, and each of them costs as much as hundreds of single payments. */
const largeBytes = 64 * 1024;
/** The maximum number of a TPP's large bodies that are processed at the same time. */
const atOnce = 2;

interface Lane {
  busy: number;
  readonly waiting: (() => void)[];
}

/**
 * Processes the large bodies of each TPP in order of arrival, two at a time. A request of another TPP thus
 * competes with at most two bulk payments, however many are sent at once. A body counts towards its TPP's share
 * while it waits, and is not parsed before its turn.
 */
export class LargeBodies {
  private readonly lanes = new Map<string, Lane>();

  /** Does the work for a body of this TPP. If the body is large, waits for its turn first. */
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
