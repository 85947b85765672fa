import { call } from '../call.js';

/** How far a durable consumer has read its JetStream stream, as JetStream reports it. */
export interface ConsumerReport {
  readonly consumer: string;
  /** Absent if JetStream has no consumer of this name. */
  readonly state?: {
    /** The number of events in the stream that JetStream has not yet delivered to the consumer. */
    readonly pending: number;
    /** The number of events that JetStream has delivered and the consumer has not yet acknowledged. */
    readonly ackPending: number;
    /** The number of delivered, unacknowledged events that JetStream has delivered more than once. */
    readonly redelivered: number;
    /** The stream sequence up to which the consumer has acknowledged every event. */
    readonly ackFloor: number;
    /** True if an instance of the service is requesting events from the consumer. */
    readonly isReading: boolean;
    /**
     * When the oldest event that the consumer has not acknowledged was published, in real time; absent if the consumer
     * has acknowledged all events. @format date-time
     */
    readonly oldestAt?: string;
  };
}

/** The result of `xs2a events verify`, which compares the stream with the log in PostgreSQL. */
export interface CopyVerification {
  /** The log position of the last event of the stream that `xs2a events verify` compared. */
  readonly upTo: number;
  /** The number of events of the stream that `xs2a events verify` compared. */
  readonly copies: number;
  /** The size of the gaps: the number of events that the stream lacks between its first event and its last event. */
  readonly missing: number;
  /** The number of events, in the log or in the stream, that differ from the event that was appended. */
  readonly findings: number;
  /** When the stream was compared with the log, in real time. @format date-time */
  readonly verifiedAt: string;
}

/** The state of the stream in JetStream that copies a log in PostgreSQL. The report contains no personal data. */
export interface EventStreamReport {
  readonly stream: string;
  /** The last position that the log in PostgreSQL has assigned to an event. */
  readonly head: number;
  /** Absent if JetStream has no stream of this name. */
  readonly state?: {
    readonly messages: number;
    readonly bytes: number;
    /** The size in bytes from which JetStream drops the oldest events; absent if the stream has no size limit. */
    readonly maxBytes?: number;
    readonly lastSequence: number;
    /** The size of the gaps: the number of messages that the stream lacks after its first message. */
    readonly missing: number;
    /**
     * The log position of the last event in the stream; absent if the stream has no message, or if its last message is
     * not an event.
     */
    readonly published?: number;
    /**
     * The latest comparison of the stream with the log, event by event; absent if there was no comparison since the
     * stream was created.
     */
    readonly verified?: CopyVerification;
  };
  readonly consumers: readonly ConsumerReport[];
}

const ask = (subject: string) => call<Record<string, never>, EventStreamReport>(subject, 'idempotent');

/**
 * Queries the service that publishes a stream for the state of the stream and of its durable consumers. Called by the
 * console.
 */
export const readPaymentStream = ask('svc.payments.console.event-stream');
export const readConsentStream = ask('svc.consents.console.event-stream');
