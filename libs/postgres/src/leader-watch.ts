/** A leader that is frozen or whose host has vanished is replaced within 15 seconds (leader-lock.ts). */
const quietMs = 20_000;

/**
 * Tracks, from the point of view of one instance, whether any instance leads: this one does, or it regularly finds
 * that another one does. The health check of every instance uses it, so without a leader all instances report a
 * problem.
 */
export class LeaderWatch {
  private leads = false;
  private seenAt = performance.now();

  /** `degradation`: the warning to report if no instance leads. */
  constructor(private readonly degradation: string) {}

  /** To be called when another instance turns out to be the leader. */
  seen(): void {
    this.seenAt = performance.now();
  }

  /** Runs the work; while it runs, this instance counts as the leader. */
  async while(work: () => Promise<void>): Promise<void> {
    this.leads = true;
    try {
      await work();
    } finally {
      this.leads = false;
      this.seen();
    }
  }

  /** Returns the warning if no instance has led for 20 seconds. */
  degraded(): string | undefined {
    return this.leads || performance.now() - this.seenAt < quietMs ? undefined : this.degradation;
  }
}
