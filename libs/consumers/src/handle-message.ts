import type { JsMsg } from '@nats-io/jetstream';
import { callContext } from '@xs2a/calls/context';
import { inSpan } from '@xs2a/calls/in-span';
import type { PublishedEvent } from '@xs2a/events/published-event';
import { NewerEvent } from '@xs2a/events/event-types';
import { counter } from '@xs2a/observability/metrics';
import type { SpanDescription } from '@xs2a/observability/tracing/spans';
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

/**
 * Handles one event, in its trace, and reports the result to JetStream. Throws a transient error only if the consumer is
 * stopped.
 */
export const handleMessage = async (message: JsMsg, options: MessageOptions): Promise<void> => {
  const received = receive(message, options.eventTypes);
  const run = async (): Promise<Handled> => runHandler(message, received, options);
  const { event } = received;
  const outcome = await (event === undefined
    ? run()
    : callContext.run({ requestId: event.id, traceparent: event.traceparent }, run));
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

type Handled = 'done' | 'failed' | 'newer-release' | 'dead-letter';

const runHandler = async (message: JsMsg, received: Received, options: MessageOptions): Promise<Handled> => {
  const { logger, durable: consumer } = options;
  const { seq, info } = message;
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
  | { readonly event?: undefined; readonly error: NonNullable<unknown> };

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
    const { event } = received;
    await inSpan(consumeSpan(event, options), async () => waitOut(async () => handle(event)));
  } catch (error) {
    if (isTransientFailure(error)) throw error;
    logger.warn({ error, consumer, seq }, 'handling an event failed');
    return error;
  }
  afterEffect?.();
  return undefined;
};

const consumeSpan = ({ id, type }: PublishedEvent, { durable }: MessageOptions): SpanDescription => ({
  name: `process ${durable}`,
  kind: 'CONSUMER',
  attributes: {
    'messaging.system.name': 'nats',
    'messaging.operation.type': 'process',
    'messaging.operation.name': 'process',
    'messaging.destination.name': type,
    'messaging.consumer.group.name': durable,
    'messaging.message.id': id,
  },
});
