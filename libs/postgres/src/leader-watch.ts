/** A leader that is frozen or whose host has vanished is followed by another one within 15 seconds (leader-lock.ts). */
const quietMs = 20_000;

/**
 * Knows whether any instance leads, as one of them sees it: it leads itself, or finds now and then that another one does. For the health check of every
 * instance: when none leads, each says so.
 */
export class LeaderWatch {
  private leads = false;
  private seenAt = performance.now();

  /** `degradation`: what is wrong when no instance leads. */
  constructor(private readonly degradation: string) {}

  /** Another instance was found to lead. */
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

  /** What is wrong: no instance has led for 20 seconds. */
  degraded(): string | undefined {
    return this.leads || performance.now() - this.seenAt < quietMs ? undefined : this.degradation;
  }
}
