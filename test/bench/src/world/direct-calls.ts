import type { Sandbox } from '@xs2a/sandbox/sandbox';
import { ServiceCalls } from '@xs2a/sandbox/services/service-calls';

/** Calls services over NATS, bypassing the public entry point. */
export const withCalls = async <Result>(
  sandbox: Sandbox,
  work: (calls: ServiceCalls) => Promise<Result>,
): Promise<Result> => {
  const calls = new ServiceCalls(sandbox, 'bench');
  try {
    return await work(calls);
  } finally {
    await calls.close();
  }
};

/** Does the work for each item, this many at a time. Returns the results in order. The first failure stops it. */
export const inParallel = async <Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
};
