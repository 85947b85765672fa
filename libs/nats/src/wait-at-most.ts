/**
 * Waits for work, but not longer than so many milliseconds; the work goes on. For what is done all the same, such as
 * taking leave of a server: one that died in that moment never answers, and what it was not told it finds out by itself.
 */
export const waitAtMost = async (ms: number, work: Promise<unknown>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
};
