import type { NatsConnection } from '@nats-io/transport-node';

/** Milliseconds without a reply after which NATS is pinged. Also the time limit for the pong. */
const pingAfterMs = 1300;
const pongMs = 500;

/**
 * Waits for the reply of a service that sends no heartbeats. The reply may take up to `timeoutMs`, but if NATS
 * does not respond to a ping, the wait rejects within two seconds.
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
