import { Clock } from '@xs2a/runtime/clock';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A private signing key as a JWK. `iat`: when the key was generated, in seconds since the epoch; absent if the key file
 * does not contain it.
 */
type SigningKey = JWK & { readonly iat?: unknown };

export interface SigningKeys {
  readonly keys: SigningKey[];
}

/**
 * Reads signing keys from a JWK set in a file that only its owner may read; `setting` is the setting that names it.
 * The first key signs; the others only verify older signatures. Throws if the file is missing (unless `create` is
 * set), is readable by others, or contains other kinds of keys.
 */
export const signingKeys = async (
  setting: 'AUTH_KEYS_FILE' | 'BUNDLE_KEYS_FILE',
  file: string,
  create: boolean,
): Promise<SigningKeys> => {
  if (!existsSync(file)) {
    if (!create) throw new Error(`${setting} names a file that does not exist`);
    await writeNewKeys(file);
  }
  if ((statSync(file).mode & 0o007) !== 0)
    throw new Error(`${setting} is readable by others: run chmod 600 on it`);
  const { keys } = JSON.parse(readFileSync(file, 'utf8')) as Partial<SigningKeys>;
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isSigningKey))
    throw new Error(`${setting} must contain a JWK set of private P-256 keys, each with a kid`);
  return { keys: keys.map((key) => ({ ...key, use: 'sig', alg: 'ES256' })) };
};

/** Returns the public parts of the keys for the published JWK set, without `iat`, the time of generation. */
export const publicKeys = ({ keys }: SigningKeys): JWK[] =>
  keys.map(({ d: _private, iat: _generated, ...key }) => key);

const isSigningKey = (key: JWK): boolean =>
  key.kty === 'EC' && key.crv === 'P-256' && typeof key.d === 'string' && typeof key.kid === 'string';

/**
 * Writes the complete file under a temporary name and then links it, so that two concurrent first starts end up
 * with the same key.
 */
const writeNewKeys = async (file: string): Promise<void> => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${process.pid}`;
  const iat = Math.floor(new Clock(false).nowMs() / 1000);
  writeFileSync(unfinished, JSON.stringify({ keys: [{ ...jwk, kid, iat }] }), { mode: 0o600 });
  try {
    linkSync(unfinished, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
};
