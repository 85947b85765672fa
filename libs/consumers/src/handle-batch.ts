import type { Consumer, JsMsg } from '@nats-io/jetstream';
import { gauge } from '@xs2a/observability/metrics';

/** Events per fetch. */
const maxBatch = 100;

const waiting = gauge('xs2a_events_waiting', 'Events in the stream that were not delivered yet', [
  'consumer',
]);

/** Stops reporting the waiting events of a consumer, because another instance may now consume them. */
export const forgetWaiting = (durable: string): void => waiting.remove({ consumer: durable });

/**
 * Fetches up to 100 events and passes them on one by one as they arrive, but none after a stop. `heartbeat` tells
 * JetStream that all events in the batch are in progress, so that those still waiting are not redelivered. Throws
 * the first error of `handle`; later events are not passed on.
 */
export const handleBatch = async (
  consumer: Consumer,
  { durable, stopping }: { readonly durable: string; readonly stopping: AbortSignal },
  handle: (message: JsMsg, heartbeat: () => void) => Promise<void>,
): Promise<void> => {
  const messages = await consumer.fetch({ max_messages: maxBatch, expires: 10_000, idle_heartbeat: 1000 });
  const stop = (): void => messages.stop();
  stopping.addEventListener('abort', stop);
  const received: JsMsg[] = [];
  const heartbeat = (): void => {
    for (const message of received) message.working();
  };
  const handleNext = async (message: JsMsg): Promise<void> => {
    if (!stopping.aborted) await handle(message, heartbeat);
  };
  let handling = Promise.resolve();
  try {
    for await (const message of messages) {
      waiting.set({ consumer: durable }, message.info.pending);
      received.push(message);
      handling = handling.then(async () => handleNext(message));
      handling.catch(stop);
    }
  } finally {
    stopping.removeEventListener('abort', stop);
    await handling;
  }
};
