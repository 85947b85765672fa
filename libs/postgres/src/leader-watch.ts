/** A leader that is frozen or whose host has vanished is replaced within 15 seconds (leader-lock.ts). */
const quietMs = 20_000;

/**
 * Tracks, from the point of view of one instance, whether any instance leads: it leads itself, or regularly finds
 * another leader. Used by every instance's health check: without a leader, all instances report it.
 */
export class LeaderWatch {
  private leads = false;
  private seenAt = performance.now();

  /** `degradation`: the warning if no instance leads. */
  constructor(private readonly degradation: string) {}

  /** Call it when another instance turns out to be the leader. */
  seen(): void {
    this.seenAt = performance.now();
  }

  /** Runs work as the leader. */
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
