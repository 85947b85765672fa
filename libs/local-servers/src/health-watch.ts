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

  /** `onSilent` hears that the instance does not answer at all any more. */
  constructor(
    private readonly healthUrl: string,
    private readonly onSilent: () => void,
  ) {
    this.running = this.run();
  }

  /** True while it is to be given new work. */
  get isUp(): boolean {
    return this.isReady && this.withdrawn === 0;
  }

  /** It did not answer when it was last asked, not even that it is not ready. */
  get isSilent(): boolean {
    return !this.answers;
  }

  /** It is to be given no new work, until the returned function is called. */
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
      // Stopped meanwhile: the loop ends.
      await wait(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
