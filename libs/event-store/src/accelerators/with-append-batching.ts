import type { Logger } from '@xs2a/observability/logger';
import { concernsSomeRows } from '@xs2a/postgres/errors';
import { StatementQueue } from '@xs2a/postgres/statement-queue';
import type { Appended, Appender, AppendRow, PlainAppender } from '../streams/append.js';

const maxBatch = 128;

/**
 * Combines concurrent appends into one statement.
 *
 * Gain: the payments service and PostgreSQL together need 0.92 ms of processor time per payment instead of 1.68
 * (docs/benchmarks.md, row `post-payment`). Cost: if two statements of the store are in flight (and two more with its guard), an append waits until one of
 * them finishes, and an error in one append causes its whole batch to be repeated one append at a time.
 * `APPEND_BATCHING=false` disables batching.
 *
 * A batch contains each stream and each idempotency key at most once. A second append to the same stream waits for
 * the first.
 */
export const withAppendBatching = (appender: PlainAppender, logger: Logger): Appender => {
  const appendEach = async (rows: readonly AppendRow[]): Promise<(Appended | Error)[]> => {
    const outcomes: (Appended | Error)[] = [];
    for (const row of rows) outcomes.push(await appender.appendAfterBatch(row).catch(toError));
    return outcomes;
  };
  const queue = new StatementQueue<AppendRow, Appended>({
    maxBatch,
    keysOf: ({ streamId, idempotencyRecord }) =>
      idempotencyRecord === undefined
        ? [streamId]
        : [
            streamId,
            JSON.stringify([idempotencyRecord.tppId, idempotencyRecord.path, idempotencyRecord.key]),
          ],
    run: async (rows) => {
      try {
        return await appender.appendTogether(rows);
      } catch (error) {
        if (!concernsSomeRows(error)) throw error;
        logger.debug({ error, rows: rows.length }, 'a batch of appends failed; appending one by one');
        return appendEach(rows);
      }
    },
  });
  return { append: async (row) => queue.add(row) };
};

const toError = (error: unknown): Error =>
  error instanceof Error ? error : new Error('an append failed', { cause: error });
