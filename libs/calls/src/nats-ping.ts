import type { NatsConnection } from '@nats-io/transport-node';

/** Milliseconds without an answer after which NATS is pinged, and that it has to answer. */
const pingAfterMs = 1300;
const pongMs = 500;

/**
 * Waits for an answer of a service that sends no heartbeats. It may take all of `timeoutMs`; a NATS that stands still is
 * noticed before two seconds have passed, and the answer is rejected then.
 */
export const whileNatsAnswers = async <Answer>(
  nats: NatsConnection,
  timeoutMs: number,
  answer: Promise<Answer>,
): Promise<Answer> => {
  if (timeoutMs <= pingAfterMs + pongMs) return answer;
  const { promise: silent, reject } = Promise.withResolvers<never>();
  let timer = setTimeout(() => {
    timer = setTimeout(() => reject(new Error('NATS does not answer')), pongMs);
    nats.flush().then(() => clearTimeout(timer), reject);
  }, pingAfterMs);
  try {
    return await Promise.race([answer, silent]);
  } finally {
    clearTimeout(timer);
  }
};
