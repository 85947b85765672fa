import type { HashedEvent } from './hash-chain.js';

/** The origin of an event. Apart from ids, it never contains personal data. */
export interface EventMeta {
  /** A TPP's client id, `psu`, or the name of a service. */
  readonly actor: string;
  readonly requestId?: string;
  readonly traceparent?: string;
}

/** An event as stored. */
export interface StoredEvent extends HashedEvent {
  readonly meta: EventMeta;
}

/** A row of `events` as returned by the driver. */
export interface EventRecord {
  readonly event_id: string;
  readonly stream_id: string;
  readonly version: number;
  readonly type: string;
  readonly schema_version: number;
  readonly data: unknown;
  readonly meta: EventMeta;
  readonly occurred_at: Date;
  readonly prev_hash: Buffer;
  readonly hash: Buffer;
}

export const storedEvent = (record: EventRecord): StoredEvent => ({
  eventId: record.event_id,
  streamId: record.stream_id,
  version: record.version,
  type: record.type,
  schemaVersion: record.schema_version,
  data: record.data,
  meta: record.meta,
  occurredAt: record.occurred_at.toISOString(),
  prevHash: record.prev_hash,
  hash: record.hash,
});
