import type { Consumer, JsMsg } from '@nats-io/jetstream';
import { gauge } from '@xs2a/observability/metrics';

/** Events that are fetched at once. */
const maxBatch = 100;

const waiting = gauge('xs2a_events_waiting', 'Events in the stream that were not delivered yet', [
  'consumer',
]);

/**
 * Fetches up to 100 events and hands them over one after the other, each as soon as it is there; none after a stop. `heartbeat`
 * tells JetStream that all events of the batch are in progress, so that those that wait are not delivered again. Throws what
 * `handle` throws first; the events behind that one are not handed over.
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
