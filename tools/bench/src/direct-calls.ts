import { connectNats } from '@xs2a/messaging/connection';
import { Requester } from '@xs2a/messaging/requester';
import { createLogger } from '@xs2a/observability/logger';
import type { Sandbox } from '@xs2a/sandbox/sandbox';

/** Calls services over NATS as the operator, past the door. The clock of the messages is the real one. */
export const withCalls = async <Result>(
  sandbox: Sandbox,
  work: (requester: Requester) => Promise<Result>,
): Promise<Result> => {
  const nats = await connectNats(sandbox.natsUrl(), 'bench', createLogger('bench', 'silent'));
  try {
    return await work(new Requester(nats, { offsetMs: 0, raiseTo: () => undefined }));
  } finally {
    await nats.drain();
  }
};

/** Does the work for each item, so many at a time; answers in order. The first failure ends it. */
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
