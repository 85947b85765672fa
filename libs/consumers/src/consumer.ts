import { jetstream } from '@nats-io/jetstream';
import { connectOnce } from '@xs2a/nats/connection';
import { waitAtMost } from '@xs2a/nats/wait-at-most';
import { pause } from '@xs2a/postgres/leader-lock';
import { ConsumerStatus } from './consumer-status.js';
import { forgetWaiting, handleBatch } from './handle-batch.js';
import { handleMessage } from './handle-message.js';
import { replayDeadLetters, type ReplayOptions } from './replays.js';
import { waitOutOutages } from './wait-out-outages.js';

export interface ConsumerOptions extends ReplayOptions {
  readonly natsUrl: string;
  /** The stream of the durable consumer. The migration job creates both (jetstream-assets.ts). */
  readonly stream: string;
  /** For fault tests: called between an effect and its acknowledgement. */
  readonly afterEffect?: () => void;
}

export interface Consumption {
  /** For the health check: why nothing is being consumed, or undefined if everything is working. */
  degraded(): string | undefined;
  /** Stops after the current event is finished. Must be called before the pool is closed. */
  stop(): Promise<void>;
}

/** Milliseconds between attempts while a dependency is down. */
const retryMs = 500;
/** Milliseconds to wait, when the consumer stops, for the server to receive the last acknowledgements. */
const leaveMs = 1000;

interface Parts {
  readonly options: ConsumerOptions;
  readonly status: ConsumerStatus;
  readonly stopping: AbortSignal;
}

/**
 * Handles the events of a durable JetStream consumer at least once each: pull, effect, acknowledgement
 * (architecture, Event store 4). Any number of instances may consume the same durable; the order of events is not
 * guaranteed.
 */
export const consume = (options: ConsumerOptions): Consumption => {
  const stop = new AbortController();
  const status = new ConsumerStatus(options);
  const running = Promise.all([
    consumeUntilStopped({ options, status, stopping: stop.signal }),
    replayDeadLetters(options, stop.signal),
  ]);
  return {
    degraded: () => status.problem,
    stop: async () => {
      stop.abort();
      await running;
    },
  };
};

const consumeUntilStopped = async (parts: Parts): Promise<void> => {
  const { options, status, stopping } = parts;
  while (!stopping.aborted) {
    try {
      await consumeFromOneConnection(parts);
    } catch (error) {
      status.report(error);
      await pause(retryMs, stopping);
    }
  }
  forgetWaiting(options.durable);
};

/** Consumes over a single connection until that connection is lost. */
const consumeFromOneConnection = async ({ options, status, stopping }: Parts): Promise<void> => {
  const { natsUrl, stream, durable } = options;
  const nats = await connectOnce(natsUrl, durable);
  try {
    const consumer = await jetstream(nats, { timeout: 2000 }).consumers.get(stream, durable);
    status.report(undefined);
    while (!stopping.aborted) {
      await handleBatch(consumer, { durable, stopping }, async (message, heartbeat) => {
        const waitOut = waitOutOutages({ status, stopping, heartbeat, retryMs });
        await handleMessage(message, { ...options, waitOut });
      });
    }
  } finally {
    if (!nats.isClosed()) await waitAtMost(leaveMs, nats.drain());
  }
};
