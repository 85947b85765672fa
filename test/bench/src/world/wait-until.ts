/** Polls until the condition holds. Throws after the given number of minutes. */
export const waitUntil = async (
  done: () => Promise<boolean>,
  everyMs: number,
  maxMinutes = 5,
): Promise<void> => {
  const deadline = performance.now() + maxMinutes * 60_000;
  while (!(await done())) {
    if (performance.now() > deadline) throw new Error('the awaited condition was not met in time');
    await new Promise((resolve) => {
      setTimeout(resolve, everyMs);
    });
  }
};
