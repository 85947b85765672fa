/** A leader that is frozen or whose host has vanished is replaced within 15 seconds (leader-lock.ts). */
const quietMs = 20_000;

/**
 * Tracks whether any instance leads, as seen by one instance: it leads itself, or regularly finds that another one does. For the health check
 * of every instance: without a leader, all report it.
 */
export class LeaderWatch {
  private leads = false;
  private seenAt = performance.now();

  /** `degradation`: the warning when no instance leads. */
  constructor(private readonly degradation: string) {}

  /** Another instance was found to be the leader. */
  seen(): void {
    this.seenAt = performance.now();
  }

  /** Does work as the leader. */
  async while(work: () => Promise<void>): Promise<void> {
    this.leads = true;
    try {
      await work();
    } finally {
      this.leads = false;
      this.seen();
    }
  }

  /** The warning when no instance has led for 20 seconds. */
  degraded(): string | undefined {
    return this.leads || performance.now() - this.seenAt < quietMs ? undefined : this.degradation;
  }
}
