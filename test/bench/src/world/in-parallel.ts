/**
 * Runs the work for each item, with the given number in parallel. Returns the results in order. Stops at the first
 * failure.
 */
export const inParallel = async <Item, Result>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  const queue = [...items].entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
};

/** Lists the numbers from 0 up to, but not including, `count`. */
export const numbers = (count: number): readonly number[] =>
  Array.from({ length: count }, (_none, number) => number);
