import { callContext } from '@xs2a/calls/context';
import type { Logger } from '@xs2a/observability/logger';
import type { Clock } from '../clock.js';

export interface SweepOptions {
  readonly name: string;
  readonly everyMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Does the work that is due and resolves to the amount done. If that is above zero, `run` is called again
   * immediately.
   */
  readonly run: () => Promise<number>;
  /** Called with the error when a run fails, and with undefined when a run succeeds again. */
  readonly onState?: (error: unknown) => void;
}

/** Runs due work at an interval, and immediately when the clock moves or when it is woken up. Runs never overlap. */
export class Sweep {
  private timer: NodeJS.Timeout | undefined;
  private current: Promise<number> | undefined;
  /** True if a wake-up arrived during the current run, which is then followed by another run. */
  private again = false;
  /** The number of consecutive failed runs. */
  private failures = 0;
  private stopped = true;
  private readonly unsubscribe: () => void;

  constructor(private readonly options: SweepOptions) {
    this.unsubscribe = options.clock.onChange(() => this.wakeUp());
  }

  start(): void {
    this.stopped = false;
    this.wakeUp();
  }

  /** Triggers a run soon or, if one is in progress, another run after it. */
  wakeUp(): void {
    if (this.stopped) return;
    if (this.current !== undefined) {
      this.again = true;
      return;
    }
    clearTimeout(this.timer);
    void this.begin().catch(() => 0);
  }

  /**
   * Waits for the current run, then runs until nothing is due; resolves to the amount of work done. Rethrows the
   * error of a failed run.
   */
  async drain(): Promise<number> {
    await this.current?.catch(() => 0);
    if (this.stopped) return 0;
    return this.current ?? this.begin();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.unsubscribe();
    clearTimeout(this.timer);
    await this.current?.catch(() => 0);
  }

  private async begin(): Promise<number> {
    clearTimeout(this.timer);
    this.current = this.untilDone();
    try {
      const done = await this.current;
      this.report(undefined);
      return done;
    } catch (error) {
      this.report(error);
      throw error;
    } finally {
      this.current = undefined;
      if (!this.stopped) this.timer = setTimeout(() => this.wakeUp(), this.again ? 0 : this.pauseMs());
      this.again = false;
    }
  }

  private async untilDone(): Promise<number> {
    let total = 0;
    for (;;) {
      this.again = false;
      // A request may have woken the sweep, but the work belongs to no request.
      const done = await callContext.exit(async () => this.options.run());
      total += done;
      if (this.stopped || (done === 0 && !this.again)) return total;
    }
  }

  /**
   * Milliseconds until the next run; up to eight times the interval while runs fail. A clock move or a wake-up
   * still triggers a run immediately.
   */
  private pauseMs(): number {
    return this.options.everyMs * 2 ** Math.min(this.failures, 3);
  }

  private report(error: unknown): void {
    this.options.onState?.(error);
    const failed = error !== undefined;
    if (failed && this.failures === 0)
      this.options.logger.warn({ error, sweep: this.options.name }, 'a sweep failed; will retry');
    if (!failed && this.failures > 0)
      this.options.logger.info({ sweep: this.options.name }, 'a sweep recovered');
    this.failures = failed ? this.failures + 1 : 0;
  }
}
