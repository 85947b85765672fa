import type { Logger } from '@xs2a/observability/logger';

const firstAfterMs = 1000;
const everyMs = 5000;

/**
 * Says in the log why there is no connection, once for each reason. The NATS client tries again for ever and does not tell
 * why it fails: an expired certificate would look like a server that is away. So while there is no connection, another
 * one is tried now and then, of which the error can be had.
 */
export class RefusalLog {
  private timer: NodeJS.Timeout | undefined;
  private said: string | undefined;

  constructor(
    /** Connects and hangs up. Throws what speaks against it. */
    private readonly tryOnce: () => Promise<void>,
    private readonly logger: Logger,
  ) {}

  /** There is no connection, from now on. */
  watch(): void {
    this.rest();
    this.next(firstAfterMs);
  }

  /** There is one, or none is wanted any more. */
  rest(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.said = undefined;
  }

  private next(afterMs: number): void {
    const timer = setTimeout(async () => {
      const error = await this.tryOnce().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (this.timer !== timer) return;
      this.say(error);
      this.next(everyMs);
    }, afterMs);
    this.timer = timer.unref();
  }

  private say(error: unknown): void {
    if (error === undefined) return;
    const reason = String(error);
    if (reason !== this.said) this.logger.warn({ error }, `nats: no connection: ${reason}`);
    this.said = reason;
  }
}
