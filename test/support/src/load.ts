import { setTimeout as wait } from 'node:timers/promises';

export interface LoadOptions {
  /** Ends the load: no further round begins. */
  readonly stop: AbortSignal;
  /** The largest number of rounds in progress; default: one. */
  readonly clients?: number;
  /**
   * Rounds begun per second, however long they take. A round that is late because all clients were busy begins at once.
   * Absent: each client begins a round when its previous one has ended.
   */
  readonly perSecond?: number;
  /** Called with the error of a failed round, after which its client goes on; absent: the error is thrown. */
  readonly onError?: (error: unknown) => Promise<void> | void;
}

/**
 * Clients that repeat a round of requests until they are stopped. Rounds are numbered from 0 over all clients; what one sends and counts
 * is up to the caller. Resolves when every client has finished its last round.
 */
export const runLoad = async (
  round: (number: number, client: number) => Promise<unknown>,
  { stop, clients = 1, perSecond, onError }: LoadOptions,
): Promise<void> => {
  const begun = performance.now();
  let next = 0;
  const untilDue = async (number: number): Promise<void> => {
    const ms = perSecond === undefined ? 0 : begun + (number * 1000) / perSecond - performance.now();
    if (ms > 0) await wait(ms, undefined, { signal: stop }).catch(() => undefined);
  };
  const repeat = async (client: number): Promise<void> => {
    while (!stop.aborted) {
      const number = next;
      next += 1;
      if (perSecond !== undefined) await untilDue(number);
      if (stop.aborted) return;
      try {
        await round(number, client);
      } catch (error) {
        if (onError === undefined) throw error;
        await onError(error);
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, async (_none, client) => repeat(client)));
};
