import { errors } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { saysNoStream } from './jetstream-copy.js';

/** Real milliseconds in which a NATS cluster that had lost its quorum elects a leader for each stream, on a busy machine too. */
const electionMs = 30_000;
const betweenMs = 250;

/**
 * The first answer to a question to JetStream, which only reads. Only the leader of a stream answers, and a question that comes while there is
 * none is dropped: waiting longer for its answer does not help, asking again does. Throws an error with what was asked and the last
 * error, or that there is no such stream or no connection any more.
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
