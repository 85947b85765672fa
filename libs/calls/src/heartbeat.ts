import type { NatsConnection } from '@nats-io/transport-node';

/** Milliseconds without an answer or a heartbeat after which a call that may take long is given up. */
export const idleTimeoutMs = 1800;
/** Milliseconds between heartbeats. Three fit into the idle timeout, so that a late or lost one ends no call. */
const heartbeatEveryMs = 600;

/**
 * The subject for heartbeats of the call with this reply subject. It is not the reply subject itself, because
 * nats-server would have to remember for 30 seconds of each call, long or not, that more than one message may come there.
 */
const heartbeatSubject = (reply: string): string => `heartbeat.${reply}`;

/** The service's side: sends an empty message every now and then, until the timer is cleared. */
export const sendHeartbeats = (nats: NatsConnection, reply: string): NodeJS.Timeout =>
  setInterval(() => {
    try {
      nats.publish(heartbeatSubject(reply));
    } catch {
      // The connection is closed: the caller's idle timeout notices.
    }
  }, heartbeatEveryMs);

/**
 * The caller's side: waits for the answer as long as heartbeats for reply subjects below `inbox` come. Rejects after
 * {@link idleTimeoutMs} without either.
 */
export const whileHeartbeatsCome = async <Answer>(
  nats: NatsConnection,
  inbox: string,
  ask: () => Promise<Answer>,
): Promise<Answer> => {
  const { promise: idle, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no heartbeat arrived in time')), idleTimeoutMs);
  const heartbeats = nats.subscribe(heartbeatSubject(`${inbox}.*`), {
    callback: (error) => {
      if (error === null) timer.refresh();
    },
  });
  try {
    return await Promise.race([ask(), idle]);
  } finally {
    clearTimeout(timer);
    heartbeats.unsubscribe();
  }
};
