import { eventStreams } from './published-event.js';

/** A durable JetStream consumer: of which stream it delivers which events. */
export interface EventConsumer {
  readonly stream: string;
  readonly durable: string;
  /** Subjects, as a pattern. */
  readonly filter: string;
}

/** All durable consumers. The migration job makes them; a service has the right to read its own and no other. */
export const eventConsumers = {
  settlement: { stream: eventStreams.payments, durable: 'settlement', filter: 'xs2a.payments.signed.>' },
} as const satisfies Readonly<Record<string, EventConsumer>>;
