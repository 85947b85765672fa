import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '@xs2a/observability/logger';
import { isTooLarge } from './message-size.js';

/**
 * Makes a connection send all messages of an event loop turn in a single write to its socket, at the end of the
 * turn. Without it, responses and calls from different requests are written separately.
 *
 * It saves system calls at the cost of up to one turn of latency: GET status (`payment-status`) costs 0.34 CPU ms
 * without it, a sixth more than the 0.29 with it (docs/adr/0002). `NATS_SHARED_WRITES=false` disables it. Delete
 * it when the NATS client does the same, or when the gain in that benchmark falls below a tenth.
 *
 * Modifies the connection in place, because the client's own `request` and `respond` publish through it. A message
 * that cannot be sent is logged, and its sender gets a timeout.
 */
export const withSharedWrites = (nats: NatsConnection, logger: Logger): NatsConnection => {
  type Message = Parameters<NatsConnection['publish']>;
  const { publish, flush, drain, close } = nats;
  let waiting: Message[] = [];
  const sendAll = (): void => {
    const messages = waiting;
    waiting = [];
    for (const message of messages) {
      try {
        publish.apply(nats, message);
      } catch (error) {
        logger.error({ error, subject: message[0] }, 'sending a message failed');
      }
    }
  };
  const isRefused = (data: Message[1]): boolean =>
    nats.isClosed() || nats.isDraining() || isTooLarge(nats, data);
  const afterSending =
    <Result>(then: () => Promise<Result>) =>
    async (): Promise<Result> => {
      sendAll();
      return then.call(nats);
    };
  return Object.assign(nats, {
    publish: (...message: Message): void => {
      // A message that would be refused is published immediately, so that its sender receives the error.
      if (isRefused(message[1])) publish.apply(nats, message);
      else if (waiting.push(message) === 1) setImmediate(sendAll);
    },
    flush: afterSending(flush),
    drain: afterSending(drain),
    close: afterSending(close),
  });
};
