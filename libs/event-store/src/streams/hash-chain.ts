import { hash } from 'node:crypto';

/** An event as stored in its stream; `data` and `meta` are plain JSON. */
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

/** The previous hash that the first event of a stream refers to. */
export const chainStart = Buffer.alloc(32);

/**
 * JSON with sorted keys: the text is the same before storing and after reading back, even for events stored as
 * jsonb, which does not preserve order.
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

/** ASCII that JSON does not escape. */
const plain = /^[ !#-[\]-~]*$/;
const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text));

/**
 * SHA-256 over the previous hash and everything in the event. `data` and `meta` are passed as canonical JSON;
 * `data` as bytes if the caller needs them anyway.
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
  // Going through hex takes half the time of Node's direct digest bytes.
  return Buffer.from(hash('sha256', Buffer.concat([front, data])), 'hex');
};

/**
 * Returns the version of the first event of a stream that is not what was appended: changed, missing, swapped or
 * moved here from another stream. Undefined: the chain is valid. A removed end shows only in the next event, or by
 * comparison with the published copy.
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
