import type { Logger } from '@xs2a/observability/logger';

const firstAfterMs = 1000;
const everyMs = 5000;

/**
 * Logs why there is no connection, once per reason. The NATS client retries forever without reporting why it
 * fails, so an expired certificate would look like a server that is down. While disconnected, this class therefore
 * makes occasional attempts of its own to obtain the error.
 */
export class RefusalLog {
  private timer: NodeJS.Timeout | undefined;
  private said: string | undefined;

  constructor(
    /** Connects and disconnects. On failure, throws the error with the reason. */
    private readonly tryOnce: () => Promise<void>,
    private readonly logger: Logger,
  ) {}

  /** To be called when the connection is lost. */
  watch(): void {
    this.rest();
    this.next(firstAfterMs);
  }

  /** To be called when the connection is up, or no longer needed. */
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
