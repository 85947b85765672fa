/**
 * Polls until the check passes. Fails after ten seconds, because recovery must be visible by then (quality,
 * Reliability). For tests.
 */
export const until = async (check: () => Promise<unknown> | void): Promise<void> => {
  const end = performance.now() + 10_000;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
  }
};
