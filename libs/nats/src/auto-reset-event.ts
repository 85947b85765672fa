import { pause } from '@xs2a/postgres/leader-lock';

/** Setting it wakes one waiter, or the next one if nobody is waiting. After that it must be set again. */
export class AutoResetEvent {
  private controller = new AbortController();

  set(): void {
    this.controller.abort();
  }

  /**
   * Returns after `ms`, or as soon as the event is set. Returns immediately if the event was set since the last
   * wait.
   */
  async wait(ms: number): Promise<void> {
    await pause(ms, this.controller.signal);
    this.controller = new AbortController();
  }
}
