/** Bodies above this are of bulk payments: each costs as much as hundreds of single payments. */
const largeBytes = 64 * 1024;
/** The number of a TPP's large bodies that are worked on at once. */
const atOnce = 2;

interface Lane {
  busy: number;
  readonly waiting: (() => void)[];
}

/**
 * Large bodies of one TPP wait for each other, first come, first served, so that a request of another TPP competes with two bulk
 * payments at most, however many are sent at once. They wait in their TPP's share, before they are parsed.
 */
export class LargeBodies {
  private readonly lanes = new Map<string, Lane>();

  /** Does the work on a body of this TPP, if the body is large when it is its turn. */
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
