import { hash } from 'node:crypto';

/** An event as its stream keeps it; `data` and `meta` are plain JSON. */
export interface ChainedEvent {
  readonly eventId: string;
  readonly streamId: string;
  readonly version: number;
  readonly type: string;
  readonly schemaVersion: number;
  readonly data: unknown;
  readonly meta: unknown;
  /** ISO instant with milliseconds. */
  readonly occurredAt: string;
}
export interface HashedEvent extends ChainedEvent {
  readonly prevHash: Buffer;
  readonly hash: Buffer;
}

/** The hash that the first event of a stream names as its predecessor's. */
export const chainStart = Buffer.alloc(32);

/**
 * JSON with sorted keys: the same text before storing and after reading back, also of events that were stored as jsonb,
 * which keeps no order.
 */
export const canonicalJson = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!hasMembers(value)) return JSON.stringify(value) ?? 'null';
  let text = '';
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) text += `${text === '' ? '' : ','}${quoted(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
};

const hasMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** ASCII that JSON writes as it is. */
const plain = /^[ !#-[\]-~]*$/;
const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text));

/**
 * SHA-256 over the previous hash and everything that the event says; `data` and `meta` come as canonical JSON, `data` as
 * bytes where they are needed anyway.
 */
export const chainHash = (
  prevHash: Buffer,
  event: Omit<ChainedEvent, 'data' | 'meta'>,
  dataJson: string | Buffer,
  metaJson: string,
): Buffer => {
  const { eventId, streamId, version, type, schemaVersion, occurredAt } = event;
  const head = JSON.stringify([
    prevHash.toString('hex'),
    eventId,
    streamId,
    version,
    type,
    schemaVersion,
    occurredAt,
  ]);
  const front = Buffer.from(`${head}\n${metaJson}\n`);
  const data = typeof dataJson === 'string' ? Buffer.from(dataJson) : dataJson;
  // Through hex takes half the time of Node's direct way to the bytes of a digest.
  return Buffer.from(hash('sha256', Buffer.concat([front, data])), 'hex');
};

/**
 * The version of the first event of a stream, in order from the first, that is not what was appended: changed,
 * missing, swapped or moved here from another stream. Undefined: the chain holds. A removed end shows in the next
 * event only, or by comparing with the published copy.
 */
export const firstBrokenVersion = (events: readonly HashedEvent[]): number | undefined => {
  let previous: Buffer = chainStart;
  for (const [index, event] of events.entries()) {
    const expected = chainHash(previous, event, canonicalJson(event.data), canonicalJson(event.meta));
    const intact =
      event.version === index + 1 &&
      event.streamId === events[0]?.streamId &&
      event.prevHash.equals(previous) &&
      event.hash.equals(expected);
    if (!intact) return index + 1;
    previous = event.hash;
  }
  return undefined;
};
