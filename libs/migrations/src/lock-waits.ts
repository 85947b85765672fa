import { setTimeout as wait } from 'node:timers/promises';

/** Somebody had the lock for long (55P03), or two waited for each other (40P01): nothing was done, it is tried again. */
const passing = new Set<unknown>(['55P03', '40P01']);

export const isPassing = (error: unknown): boolean => passing.has(Reflect.get(Object(error), 'code'));

/**
 * Does something that waits for a lock until it has got it. Each try ends after the session's `lock_timeout`; in the pause after it,
 * those that queued behind it go first. Throws the error of the last try.
 */
export const onceUnlocked = async <Result>(
  work: () => Promise<Result>,
  { maxTries = 60, pauseMs = 1000 }: { readonly maxTries?: number; readonly pauseMs?: number } = {},
): Promise<Result> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === maxTries || !isPassing(error)) throw error;
      await wait(pauseMs);
    }
  }
};
