import { createHmac, createSecretKey } from 'node:crypto';
import { type NamedKey, readNamedKeys } from './named-keys.js';

/**
 * An HMAC-SHA-256 key for values that could be guessed from a plain hash: bodies, names, client-chosen keys. The
 * key is not in the database, so a guess cannot be confirmed from live rows, dead rows or the WAL.
 */
export interface HashKey {
  readonly name: string;
  /** Returns the 32-byte HMAC of the texts and of the boundaries between them. */
  hmac(...texts: readonly string[]): Buffer;
}

export interface HashKeys {
  /** The first configured key, which is used for new values. */
  readonly current: HashKey;
  /**
   * All keys sorted by name, so that every instance uses the same order regardless of its configuration. During a
   * rotation, instances have different lists of keys. A value that one instance stores under each of its keys is
   * found by every instance that shares at least one of them.
   */
  readonly all: readonly HashKey[];
}

export const makeHashKeys = (keys: readonly NamedKey[]): HashKeys => {
  const made = keys.map(({ name, bytes }) => makeHashKey(name, bytes));
  const [current] = made;
  if (current === undefined) throw new TypeError('at least one hash key is required');
  return { current, all: made.toSorted((one, other) => (one.name < other.name ? -1 : 1)) };
};

const makeHashKey = (name: string, bytes: Buffer): HashKey => {
  const key = createSecretKey(bytes);
  return { name, hmac: (...texts) => createHmac('sha256', key).update(JSON.stringify(texts)).digest() };
};

/**
 * Parses hash keys, which have the same form as master keys: `NAME:BASE64` of 32 bytes, the current one first.
 * Returns undefined if the text is invalid.
 */
export const parseHashKeys = (text: string): HashKeys | undefined => {
  const keys = readNamedKeys(text);
  return keys && makeHashKeys(keys);
};
