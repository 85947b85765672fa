import { errors } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { saysNoStream } from './jetstream-copy.js';

/** How many real milliseconds a NATS cluster has for electing a leader for each stream, even on a busy machine. */
const electionMs = 30_000;
const betweenMs = 250;

/**
 * Returns the first response to a read-only request to JetStream. Only the leader of a stream responds, and a
 * request sent while there is no leader is dropped. The request must therefore be repeated; a longer timeout does
 * not help. If no response arrives, throws an error that contains the request and the last error. Throws
 * immediately if the stream does not exist or the connection is closed.
 */
export const onceAnswered = async <Answer>(
  question: string,
  ask: () => Promise<Answer>,
  withinMs = electionMs,
): Promise<Answer> => {
  const end = performance.now() + withinMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (saysNoStream(error) || error instanceof errors.ClosedConnectionError) throw error;
      if (performance.now() > end)
        throw new Error(`${question}: no answer for ${withinMs / 1000} s; ${String(error)}`, {
          cause: error,
        });
      await pause(betweenMs);
    }
  }
};
