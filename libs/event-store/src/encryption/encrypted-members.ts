import { dividePersonal, encryptedMember, type Fields, joinPersonal } from '@xs2a/events/personal-members';
import { canonicalJson } from '../streams/hash-chain.js';
import { compress, decompress } from './compressed.js';
import { createCipheriv, createDecipheriv, createHmac, createSecretKey } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts the members of a JSON value that its table does not mark as plain, with the stream's key (AES-256-GCM); a
 * value without a table is encrypted as a whole. They become one member,
 * `personal`: base64 of nonce, ciphertext and tag, where the plaintext is their compressed canonical JSON. `place`
 * identifies where the value is stored; the value cannot be decrypted in another place.
 *
 * The nonce is derived from key, place and text (HMAC-SHA-256), so the same value has the same form each time. A
 * state that is folded again therefore equals the stored one, and two different texts never share a nonce.
 */
export const encryptMembers = (
  value: unknown,
  {
    fields,
    key,
    place,
  }: { readonly fields: Fields | undefined; readonly key: Buffer; readonly place: string },
): unknown => {
  const { plain, personal } = dividePersonal(value, Array.isArray(value) ? undefined : fields);
  if (personal === undefined) return plain;
  const text = compress(canonicalJson(personal));
  // With a key given as bytes, Node spends more time on the key than on all other steps: one KeyObject reduces encryption from 42 to 12 µs.
  const secret = createSecretKey(key);
  const nonce = createHmac('sha256', secret)
    .update(`${place}\n`)
    .update(text)
    .digest()
    .subarray(0, nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(place));
  const parts = [nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()];
  return { ...(plain as object), [encryptedMember]: Buffer.concat(parts).toString('base64') };
};

/** True for a value with encrypted personal data. */
export const isEncrypted = (value: unknown): value is { readonly [encryptedMember]: string } =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Readonly<Record<string, unknown>>)[encryptedMember] === 'string';

/**
 * Returns the value as it was before encryption; a value that was not encrypted is returned unchanged. Throws if the
 * encrypted value was changed or belongs to another place or key.
 */
export const decryptMembers = (
  value: unknown,
  { key, place }: { readonly key: Buffer; readonly place: string },
): unknown => {
  if (!isEncrypted(value)) return value;
  const { [encryptedMember]: encrypted, ...plain } = value;
  const bytes = Buffer.from(encrypted, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', createSecretKey(key), bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(-tagBytes));
  const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]);
  return joinPersonal({ plain, personal: JSON.parse(decompress(text)) as unknown });
};
