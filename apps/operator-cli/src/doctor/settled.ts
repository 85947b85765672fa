import { setTimeout as pause } from 'node:timers/promises';

/** The number of milliseconds after which unfinished work counts as stuck. */
const timeoutMs = 3000;

/**
 * Polls until the value is as expected or the timeout expires. Returns the last value and the number of
 * milliseconds that this took.
 */
export const settled = async <Value>(
  ask: () => Promise<Value>,
  wanted: (value: Value) => boolean,
): Promise<{ readonly value: Value; readonly good: boolean; readonly ms: number }> => {
  const begun = performance.now();
  for (;;) {
    const value = await ask();
    const ms = performance.now() - begun;
    if (wanted(value) || ms > timeoutMs) return { value, good: wanted(value), ms };
    await pause(50);
  }
};
