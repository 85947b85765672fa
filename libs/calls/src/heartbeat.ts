import type { NatsConnection } from '@nats-io/transport-node';

/** Milliseconds without a reply or a heartbeat after which a long call fails. */
export const idleTimeoutMs = 1800;
/**
 * Milliseconds between heartbeats. The idle timeout is three times as long, so that a single late or lost
 * heartbeat does not make a call fail.
 */
const heartbeatEveryMs = 600;

/**
 * The heartbeat subject of the call that has this reply subject. It is a separate subject because otherwise
 * nats-server would have to track every call for 30 seconds in case more than one message arrives.
 */
const heartbeatSubject = (reply: string): string => `heartbeat.${reply}`;

/** On the service side: sends an empty message at intervals until the timer is cleared. */
export const sendHeartbeats = (nats: NatsConnection, reply: string): NodeJS.Timeout =>
  setInterval(() => {
    try {
      nats.publish(heartbeatSubject(reply));
    } catch {
      // The connection is closed. The caller detects this with its idle timeout.
    }
  }, heartbeatEveryMs);

/**
 * On the caller side: waits for the reply as long as heartbeats arrive on the heartbeat subjects of `inbox`.
 * Rejects if neither arrives for {@link idleTimeoutMs}.
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
