/** An event as published in JetStream: CloudEvents 1.0 attributes in JSON. */
export interface PublishedEvent<
  Event extends { readonly type: string; readonly data: unknown } = {
    readonly type: string;
    readonly data: unknown;
  },
> {
  readonly specversion: '1.0';
  /** UUIDv7 of the event. @format uuid */
  readonly id: string;
  /** The service that published the event, for example `/xs2a/payments`. */
  readonly source: string;
  /** The event type, for example `xs2a.payments.signed`. */
  readonly type: string;
  /** The id of the stream, which is the id of the payment or consent. @format uuid */
  readonly subject: string;
  /** When the event happened. @format date-time */
  readonly time: string;
  readonly datacontenttype: 'application/json';
  /** Extension attribute: the event's version in the stream, 1-based. */
  readonly sequence: number;
  /** Extension attribute: the event's position in the log of all payments or consents. Not the JetStream sequence. */
  readonly pos: number;
  /** Extension attribute: the schema version of the stored data. */
  readonly schemaversion: number;
  /** Extension attribute: who caused the event, which is a TPP's client id, `psu`, or a service. */
  readonly actor: string;
  /** Extension attribute (W3C Trace Context): the request that caused the event. */
  readonly traceparent?: string;
  /** The event's data. Personal data are encrypted in the member `personal`. */
  readonly data: Event['data'];
}

/** The JetStream stream to which a resource's events are published. */
export const streamName = (resource: string): string => resource.toUpperCase();

/**
 * The partition (one of 256) for the events of a stream, given by the last two digits of its id. With
 * one subject per id, every subject would stay in nats-server's memory forever.
 */
export const toPartition = (streamId: string): string => streamId.slice(-2);

/** The NATS subject on which an event is published: `xs2a.<resource>.<event>.<partition>`. */
export const subjectOfEvent = (resource: string, type: string, streamId: string): string =>
  `xs2a.${resource}.${type}.${toPartition(streamId)}`;
