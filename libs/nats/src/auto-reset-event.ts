import { pause } from '@xs2a/postgres/leader-lock';

/** Wakes one waiter, or the next one if nobody is waiting; must then be set again. */
export class AutoResetEvent {
  private controller = new AbortController();

  set(): void {
    this.controller.abort();
  }

  /** Returns after `ms`, or immediately if the event is set or was set since the last wait. */
  async wait(ms: number): Promise<void> {
    await pause(ms, this.controller.signal);
    this.controller = new AbortController();
  }
}
