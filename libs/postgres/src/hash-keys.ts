import { createHmac, createSecretKey } from 'node:crypto';
import { type NamedKey, readNamedKeys } from './named-keys.js';

/**
 * A key of HMAC-SHA-256 for what a guess would open if its bare hash were stored: bodies, names, keys that a client chooses. It is
 * not in the database, so rows, dead rows and WAL do not confirm a guess.
 */
export interface HashKey {
  readonly name: string;
  /** HMAC of the texts and of where one ends and the next begins; 32 bytes. */
  hmac(...texts: readonly string[]): Buffer;
}

export interface HashKeys {
  /** The first one that was configured. */
  readonly current: HashKey;
  /**
   * All of them by name: in the same order in every instance, whatever order its setting has. During a rotation instances have
   * different lists; what is stored under each key that an instance knows is found by every instance that knows one of these.
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

/** Reads hash keys in the form of master keys: `NAME:BASE64` of 32 bytes, the current one first. Undefined when the text is none. */
export const parseHashKeys = (text: string): HashKeys | undefined => {
  const keys = readNamedKeys(text);
  return keys && makeHashKeys(keys);
};
