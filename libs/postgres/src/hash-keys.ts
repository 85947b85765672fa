import { createHmac, createSecretKey } from 'node:crypto';
import { type NamedKey, readNamedKeys } from './named-keys.js';

/**
 * An HMAC-SHA-256 key for values that could be guessed from a plain hash: bodies, names, client-chosen keys. It is
 * not in the database, so rows, dead rows and WAL do not confirm a guess.
 */
export interface HashKey {
  readonly name: string;
  /** HMAC of the texts and their boundaries; 32 bytes. */
  hmac(...texts: readonly string[]): Buffer;
}

export interface HashKeys {
  /** The first one that was configured. */
  readonly current: HashKey;
  /**
   * All keys sorted by name, so that every instance has the same order, whatever the order of the setting. During a rotation instances have
   * different lists; a value stored under every key of one instance is found by each instance that shares one of these keys.
   */
  readonly all: readonly HashKey[];
}

export const makeHashKeys = (keys: readonly NamedKey[]): HashKeys => {
  const made = keys.map(({ name, bytes }) => makeHashKey(name, bytes));
  const [current] = made;
  if (current === undefined) throw new TypeError('hash keys are at least one');
  return { current, all: made.toSorted((one, other) => (one.name < other.name ? -1 : 1)) };
};

const makeHashKey = (name: string, bytes: Buffer): HashKey => {
  const key = createSecretKey(bytes);
  return { name, hmac: (...texts) => createHmac('sha256', key).update(JSON.stringify(texts)).digest() };
};

/** Parses hash keys in the form of master keys: `NAME:BASE64` of 32 bytes, the current one first. Undefined when invalid. */
export const parseHashKeys = (text: string): HashKeys | undefined => {
  const keys = readNamedKeys(text);
  return keys && makeHashKeys(keys);
};
