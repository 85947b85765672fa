import { setTimeout as wait } from 'node:timers/promises';

export interface LoadOptions {
  /** Ends the load: no further rounds begin. */
  readonly stop: AbortSignal;
  /** The maximum number of rounds in progress. Default: one. */
  readonly clients?: number;
  /**
   * The number of rounds that begin per second, however long they take. A round that is late because all clients
   * were busy begins at once. If absent, each client begins a round when its previous one has ended.
   */
  readonly perSecond?: number;
  /** Called with the error of a failed round, after which its client continues. If absent, the error is thrown. */
  readonly onError?: (error: unknown) => Promise<void> | void;
}

/**
 * Runs clients that repeat a round of requests until they are stopped. Rounds are numbered from 0 across all
 * clients; the caller decides what a round sends and counts. `lateMs`: the milliseconds by which it begins after it
 * was due; 0 without `perSecond`. Resolves when every client has finished its last round.
 */
export const runLoad = async (
  round: (number: number, client: number, lateMs: number) => Promise<unknown>,
  { stop, clients = 1, perSecond, onError }: LoadOptions,
): Promise<void> => {
  const begun = performance.now();
  let next = 0;
  /** Waits until the round is due, and returns how late it is then. */
  const untilDue = async (number: number, rate: number): Promise<number> => {
    const due = begun + (number * 1000) / rate;
    const ms = due - performance.now();
    if (ms > 0)
      await wait(ms, undefined, { signal: stop }).catch((error: unknown) => {
        // Stopped while waiting: no further round begins.
        if (!stop.aborted) throw error;
      });
    return Math.max(0, performance.now() - due);
  };
  const repeat = async (client: number): Promise<void> => {
    while (!stop.aborted) {
      const number = next;
      next += 1;
      const lateMs = perSecond === undefined ? 0 : await untilDue(number, perSecond);
      if (stop.aborted) return;
      try {
        await round(number, client, lateMs);
      } catch (error) {
        if (onError === undefined) throw error;
        await onError(error);
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, async (_none, client) => repeat(client)));
};
