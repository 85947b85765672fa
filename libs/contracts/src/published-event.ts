/** An event as it is published in JetStream: CloudEvents 1.0 attributes, JSON. */
export interface PublishedEvent<
  Event extends { readonly type: string; readonly data: unknown } = {
    readonly type: string;
    readonly data: unknown;
  },
> {
  readonly specversion: '1.0';
  /** UUIDv7 of the event. */
  readonly id: string;
  /** The service, e.g. `/xs2a/payments`. */
  readonly source: string;
  /** e.g. `xs2a.payments.signed`. */
  readonly type: string;
  /** The stream's id: the payment or consent. */
  readonly subject: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  /** Extension attributes. `sequence` is the version in the stream, `pos` the global position. */
  readonly sequence: number;
  readonly pos: number;
  readonly schemaversion: number;
  readonly actor: string;
  readonly traceparent?: string;
  readonly data: Event['data'];
}

/** JetStream streams and the resources in them; subjects are `xs2a.<resource>.<event>.<id>`. */
export const eventStreams = { payments: 'PAYMENTS', consents: 'CONSENTS' } as const;
export type EventResource = keyof typeof eventStreams;
