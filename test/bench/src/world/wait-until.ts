const maxMs = 300_000;

/** Asks again and again; throws when it takes longer than five minutes. */
export const waitUntil = async (done: () => Promise<boolean>, everyMs: number): Promise<void> => {
  const deadline = performance.now() + maxMs;
  while (!(await done())) {
    if (performance.now() > deadline) throw new Error('what was waited for did not come within five minutes');
    await new Promise((resolve) => {
      setTimeout(resolve, everyMs);
    });
  }
};
