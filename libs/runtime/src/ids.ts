import { hash, randomBytes, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Asking the system for 16 bytes costs as much as asking it for 4,096. */
const random = new Uint8Array(4096);
let used = random.length;
const nextRandom = (): Uint8Array => {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += 16;
  return random.subarray(used - 16, used);
};
let sequence = 0;

/**
 * UUIDv7: sorts by time, so that new rows go to the end of an index; the ids of one process within a millisecond sort in
 * the order in which they were made. For payments, consents, events.
 */
export const newId = (): string => {
  sequence = (sequence + 1) >>> 0;
  return v7({ random: nextRandom(), seq: sequence });
};

/** Unguessable: `bytes` random bytes as base64url. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url');

/** Ids asked for lately, by namespace and name: the ledger names each id of a payment three times and more. */
const named = new Map<string, string>();
const mostNamed = 5000;

/**
 * The same name always gives the same id, so that a repeat is recognised by its key (RFC 9562, version 5: SHA-1 of the
 * namespace's bytes and the name). The package's own function took a third of the ledger's time.
 */
export const uuidv5 = (name: string, namespace: string): string => {
  const key = `${namespace} ${name}`;
  const known = named.get(key);
  if (known !== undefined) return known;
  const id = idOfName(name, namespace);
  if (named.size >= mostNamed) named.clear();
  named.set(key, id);
  return id;
};

const idOfName = (name: string, namespace: string): string => {
  if (!uuidForm.test(namespace)) throw new TypeError('a namespace is a UUID');
  const text = Buffer.from(name);
  const bytes = Buffer.allocUnsafe(16 + text.length);
  bytes.write(namespace.replaceAll('-', ''), 'hex');
  text.copy(bytes, 16);
  const digest = hash('sha1', bytes);
  const variant = ((Number.parseInt(digest.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(18, 20)}-${digest.slice(20, 32)}`;
};

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
