/** An event as it is published in JetStream: CloudEvents 1.0 attributes, JSON. */
export interface PublishedEvent<
  Event extends { readonly type: string; readonly data: unknown } = {
    readonly type: string;
    readonly data: unknown;
  },
> {
  readonly specversion: '1.0';
  /** UUIDv7 of the event. @format uuid */
  readonly id: string;
  /** The service, e.g. `/xs2a/payments`. */
  readonly source: string;
  /** e.g. `xs2a.payments.signed`. */
  readonly type: string;
  /** The stream's id: the payment or consent. @format uuid */
  readonly subject: string;
  /** When it happened. @format date-time */
  readonly time: string;
  readonly datacontenttype: 'application/json';
  /** Extension attribute: the version in the stream, 1-based. */
  readonly sequence: number;
  /** Extension attribute: the position in the log of all payments or consents, in order. Not the JetStream sequence. */
  readonly pos: number;
  /** Extension attribute: the stored version of the data's shape. */
  readonly schemaversion: number;
  /** Extension attribute: a TPP's client id, `psu`, or a service. */
  readonly actor: string;
  /** Extension attribute (W3C Trace Context): the request that caused the event. */
  readonly traceparent?: string;
  /** The data of the event; personal data are encrypted, in the member `personal`. */
  readonly data: Event['data'];
}

/** JetStream streams and their resources; subjects: {@link subjectOfEvent}. */
export const eventStreams = { payments: 'PAYMENTS', consents: 'CONSENTS' } as const;
export type EventResource = keyof typeof eventStreams;

/**
 * The partition (of 256) of a payment's or consent's events: the last two digits of its id. One subject per
 * id would stay in the memory of nats-server forever.
 */
export const toPartition = (streamId: string): string => streamId.slice(-2);

/** The NATS subject on which an event is published: `xs2a.<resource>.<event>.<partition>`. */
export const subjectOfEvent = (resource: EventResource, type: string, streamId: string): string =>
  `xs2a.${resource}.${type}.${toPartition(streamId)}`;
