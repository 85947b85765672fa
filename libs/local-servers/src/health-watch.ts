import { setTimeout as wait } from 'node:timers/promises';

const everyMs = 250;
const withinMs = 1200;

/** A load balancer’s view of one instance, from its `/health/ready`. */
export class HealthWatch {
  private isReady = true;
  private answers = true;
  private withdrawn = 0;
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;

  /** `onSilent` is called when the instance stops replying entirely. */
  constructor(
    private readonly healthUrl: string,
    private readonly onSilent: () => void,
  ) {
    this.running = this.run();
  }

  /** True while the instance may receive new work. */
  get isUp(): boolean {
    return this.isReady && this.withdrawn === 0;
  }

  /** True if the instance did not reply to the last check at all, not even with "not ready". */
  get isSilent(): boolean {
    return !this.answers;
  }

  /** Excludes the instance from new work until the returned function is called. */
  withdraw(): () => void {
    this.withdrawn += 1;
    return () => {
      this.withdrawn -= 1;
    };
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      let fellSilent = false;
      try {
        const answer = await fetch(`${this.healthUrl}/health/ready`, {
          signal: AbortSignal.timeout(withinMs),
        });
        await answer.body?.cancel();
        this.isReady = answer.ok;
        this.answers = true;
      } catch {
        fellSilent = this.answers;
        this.isReady = false;
        this.answers = false;
      }
      if (fellSilent && !signal.aborted) this.onSilent();
      // If the watch is stopped during this wait, the loop ends.
      await wait(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
