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

/** The ids of one namespace that were asked for lately. */
interface Namespace {
  readonly bytes: Buffer;
  readonly ids: Map<string, string>;
}
const namespaces = new Map<string, Namespace>();
const maxNamespaces = 1000;

/**
 * The same name always gives the same id, so that a repeat is recognised by its key (RFC 9562, version 5: SHA-1 of the
 * namespace's bytes and the name). Remembered, because the ledger names each id of a payment three times and more. The
 * package's own function took a third of the ledger's time.
 */
export const uuidv5 = (name: string, namespace: string): string => {
  const { bytes, ids } = namespaces.get(namespace) ?? rememberedNamespace(namespace);
  const known = ids.get(name);
  if (known !== undefined) return known;
  const input = inputFor(name);
  input.set(bytes);
  const id = idOfDigest(hash('sha1', input));
  ids.set(name, id);
  return id;
};

const rememberedNamespace = (namespace: string): Namespace => {
  if (!uuidForm.test(namespace)) throw new TypeError('a namespace is a UUID');
  const made = { bytes: Buffer.from(namespace.replaceAll('-', ''), 'hex'), ids: new Map<string, string>() };
  if (namespaces.size >= maxNamespaces) namespaces.clear();
  namespaces.set(namespace, made);
  return made;
};

/** What is hashed: the namespace's place, and the name behind it. Kept, as names are few: the kinds of things that are named. */
const inputs = new Map<string, Buffer>();
const maxInputs = 100;
const inputFor = (name: string): Buffer => {
  const known = inputs.get(name);
  if (known !== undefined) return known;
  const input = Buffer.concat([Buffer.alloc(16), Buffer.from(name)]);
  if (inputs.size < maxInputs) inputs.set(name, input);
  return input;
};

const idOfDigest = (digest: string): string => {
  const variant = '89ab'[Number.parseInt(digest.charAt(16), 16) & 3];
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
};

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
