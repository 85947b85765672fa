import { type EventResource, eventStreams } from './event-streams.js';

/** A durable JetStream consumer: its stream and the events that it delivers. */
export interface EventConsumer {
  readonly stream: string;
  readonly durable: string;
  /** A subject pattern. */
  readonly filter: string;
}

/** All durable consumers. The migration job creates them; a service may only read its own. */
export const eventConsumers = {
  settlement: { stream: eventStreams.payments, durable: 'settlement', filter: 'xs2a.payments.signed.>' },
} as const satisfies Readonly<Record<string, EventConsumer>>;

/** Returns the durable consumers of the stream that contains the events of a resource. */
export const consumersOf = (resource: EventResource): readonly EventConsumer[] =>
  Object.values(eventConsumers).filter(({ stream }) => stream === eventStreams[resource]);
