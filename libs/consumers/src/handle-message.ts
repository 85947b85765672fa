import type { JsMsg } from '@nats-io/jetstream';
import type { PublishedEvent } from '@xs2a/events/published-event';
import { NewerEvent } from '@xs2a/events/event-types';
import { counter } from '@xs2a/observability/metrics';
import { isTransientFailure } from './errors.js';
import { handleOrPutAside } from './last-delivery.js';
import { presentEvent } from './present-event.js';
import type { ReplayOptions } from './replays.js';
import type { WaitOut } from './wait-out-outages.js';

export interface MessageOptions extends ReplayOptions {
  readonly waitOut: WaitOut;
  readonly afterEffect?: () => void;
}

/** The number of failed deliveries after which an event becomes a dead letter. */
const maxDeliveries = 5;
/** Milliseconds until an event written by a newer release is redelivered, to this instance or another. */
const newerReleaseMs = 1000;
/** Milliseconds until an event with this many failed deliveries is redelivered. */
const redeliveryDelay = (deliveries: number): number => 25 * 2 ** deliveries;

const handled = counter('xs2a_events_consumed_total', 'Events handled, by outcome', ['consumer', 'outcome']);

/** Handles one event and reports the result to JetStream. Throws a transient error only if the consumer is stopped. */
export const handleMessage = async (message: JsMsg, options: MessageOptions): Promise<void> => {
  const outcome = await runHandler(message, options);
  switch (outcome) {
    case 'done':
      message.ack();
      break;
    case 'failed':
      message.nak(redeliveryDelay(message.info.deliveryCount));
      return;
    case 'newer-release':
      message.nak(newerReleaseMs);
      break;
    case 'dead-letter':
      message.term();
  }
  handled.inc({ consumer: options.durable, outcome });
};

const runHandler = async (
  message: JsMsg,
  options: MessageOptions,
): Promise<'done' | 'failed' | 'newer-release' | 'dead-letter'> => {
  const { eventTypes, logger, durable: consumer } = options;
  const { seq, info } = message;
  const received = receive(message, eventTypes);
  if (received.error instanceof NewerEvent) {
    // Neither attempted here nor stored as a dead letter: an instance of the newer release will receive it.
    logger.warn({ consumer, seq, type: received.error.type }, received.error.message);
    return 'newer-release';
  }
  const failure = async (): Promise<unknown> => applyEffect(received, { seq, options });
  if (info.deliveryCount >= maxDeliveries) {
    const isFirstTry = info.deliveryCount === maxDeliveries;
    return handleOrPutAside(message, { isFirstTry, failure }, options);
  }
  return (await failure()) === undefined ? 'done' : 'failed';
};

/** The event in a message, or the reason why it cannot be handled here. */
type Received =
  | { readonly event: PublishedEvent; readonly error?: undefined }
  | { readonly error: NonNullable<unknown> };

const receive = (message: JsMsg, eventTypes: ReplayOptions['eventTypes']): Received => {
  try {
    return { event: presentEvent(message.json<PublishedEvent>(), eventTypes) };
  } catch (error) {
    return { error: error ?? new Error('reading an event failed') };
  }
};

/**
 * Runs the effect. If the event is at fault, returns the reason for the failure. Throws a transient error only if
 * the consumer is stopped.
 */
const applyEffect = async (
  received: Received,
  { seq, options }: { readonly seq: number; readonly options: MessageOptions },
): Promise<unknown> => {
  const { handle, waitOut, logger, durable: consumer, afterEffect } = options;
  try {
    if (received.error !== undefined) throw received.error;
    await waitOut(async () => handle(received.event));
  } catch (error) {
    if (isTransientFailure(error)) throw error;
    logger.warn({ error, consumer, seq }, 'handling an event failed');
    return error;
  }
  afterEffect?.();
  return undefined;
};
