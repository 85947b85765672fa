import { pause } from '@xs2a/postgres/leader-lock';
import type { ConsumerStatus } from './consumer-status.js';
import { isTransientFailure } from './errors.js';

export type WaitOut = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Repeats work while it fails with a transient error because a dependency is down. Sends a heartbeat before each
 * pause, so that the current events are not redelivered. Throws any other error immediately, and a transient error
 * once the consumer is stopped.
 */
export const waitOutOutages =
  ({
    status,
    stopping,
    heartbeat,
    retryMs,
  }: {
    readonly status: ConsumerStatus;
    readonly stopping: AbortSignal;
    readonly heartbeat: () => void;
    readonly retryMs: number;
  }): WaitOut =>
  async (work) => {
    for (;;) {
      try {
        const result = await work();
        status.report(undefined);
        return result;
      } catch (error) {
        if (!isTransientFailure(error) || stopping.aborted) throw error;
        status.report(error);
        heartbeat();
        await pause(retryMs, stopping);
      }
    }
  };
