/**
 * Waits at most this many milliseconds for work, which then continues in the background. Meant for work whose
 * result is not needed, such as disconnecting from a server: a server that has just failed never replies, and one
 * that is up detects a lost client by itself.
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
