import { StatementQueue } from '@xs2a/postgres/statement-queue';
import type { KeptKey, KeyFinder, KeysFinder, Lookup } from '../streams/idempotency-records.js';

const maxBatch = 128;

/**
 * Combines concurrent look-ups of idempotency keys into one SQL statement, because every POST begins with such a look-up.
 *
 * Gain: see docs/benchmarks.md, row `post-payment`. Cost: if two look-ups are in flight, a third one waits until one of them
 * finishes. `APPEND_BATCHING=false` disables batching.
 */
export const withLookupBatching = (find: KeysFinder): KeyFinder => {
  const queue = new StatementQueue<Lookup, KeptKey | undefined>({ maxBatch, run: find });
  return async (lookup) => queue.add(lookup);
};
