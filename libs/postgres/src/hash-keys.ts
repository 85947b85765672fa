import { createHmac, createSecretKey } from 'node:crypto';
import { type NamedKey, readNamedKeys } from './named-keys.js';

/**
 * An HMAC-SHA-256 key for values that could be guessed from a plain hash: bodies, names, client-chosen keys. It is
 * not in the database, so live rows, dead rows and WAL cannot confirm a guess.
 */
export interface HashKey {
  readonly name: string;
  /** HMAC of the texts and the boundaries between them; 32 bytes. */
  hmac(...texts: readonly string[]): Buffer;
}

export interface HashKeys {
  /** The first configured key. */
  readonly current: HashKey;
  /**
   * All keys sorted by name, so that every instance uses the same order regardless of its configuration. During a
   * rotation, instances have different lists; a value stored under every key of one instance is found by each
   * instance that shares one of these keys.
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
 * Parses hash keys in the same form as master keys: `NAME:BASE64` of 32 bytes, the current one first. Undefined if
 * invalid.
 */
export const parseHashKeys = (text: string): HashKeys | undefined => {
  const keys = readNamedKeys(text);
  return keys && makeHashKeys(keys);
};
