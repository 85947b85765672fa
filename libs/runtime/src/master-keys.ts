import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { type HashKeys, makeHashKeys } from '@xs2a/postgres/hash-keys';
import { readNamedKeys } from '@xs2a/postgres/named-keys';

/** The keys of a bank under which the keys of its streams are stored. */
export interface MasterKeys {
  /** The name of the key that wraps now. */
  readonly current: string;
  /** Encrypts a key of 32 bytes: 40 bytes (AES Key Wrap, RFC 3394). */
  wrap(key: Buffer): Buffer;
  /** Throws {@link MasterKeyMissing} when none of the master keys wrapped it. */
  unwrap(wrapped: Buffer): Buffer;
  /** True when the key that wraps now wrapped it: two keys may have had one name, so the name is not enough. */
  isCurrent(wrapped: Buffer): boolean;
  /**
   * Keys of HMAC for one purpose, one derived from each master key (HKDF, RFC 5869) and named like it: the same in every instance
   * and after every restart, also where a KMS opens the master keys, and gone with the master key.
   */
  hashKeys(purpose: string): HashKeys;
}

/** A key was wrapped under a master key that is not among those that were read. */
export class MasterKeyMissing extends Error {
  override readonly name = 'MasterKeyMissing';
}

const algorithm = 'id-aes256-wrap';
/** The initial value of RFC 3394, 2.2.3.1, by which unwrapping finds out that the key is wrong. */
const initialValue = Buffer.alloc(8, 0xa6);

/**
 * Reads master keys, separated by white space: each a name, a colon and 32 bytes as base64, such as `2027:q83v…=`. The first one
 * wraps; the others unwrap what was wrapped when they were the first. Undefined when the text is none.
 */
export const parseMasterKeys = (text: string): MasterKeys | undefined => {
  const known = readNamedKeys(text);
  const [first] = known ?? [];
  if (known === undefined || first === undefined) return undefined;
  return {
    current: first.name,
    wrap: (key) => {
      const cipher = createCipheriv(algorithm, first.bytes, initialValue);
      return Buffer.concat([cipher.update(key), cipher.final()]);
    },
    unwrap: (wrapped) => {
      for (const { bytes } of known) {
        const key = tryUnwrap(bytes, wrapped);
        if (key !== undefined) return key;
      }
      throw new MasterKeyMissing('a key was wrapped under a master key that is not in MASTER_KEYS');
    },
    isCurrent: (wrapped) => tryUnwrap(first.bytes, wrapped) !== undefined,
    hashKeys: (purpose) =>
      makeHashKeys(
        known.map(({ name, bytes }) => ({
          name,
          bytes: Buffer.from(hkdfSync('sha256', bytes, '', `xs2a ${purpose}`, 32)),
        })),
      ),
  };
};

const tryUnwrap = (bytes: Buffer, wrapped: Buffer): Buffer | undefined => {
  const decipher = createDecipheriv(algorithm, bytes, initialValue);
  try {
    return Buffer.concat([decipher.update(wrapped), decipher.final()]);
  } catch {
    // Another master key wrapped it: the initial value does not come out.
    return undefined;
  }
};
