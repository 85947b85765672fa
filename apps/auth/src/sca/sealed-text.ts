import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const keyFrom = (cookie: string): Buffer => createHash('sha256').update(`sealed-text:${cookie}`).digest();

/**
 * Encrypts a text with a key derived from the session's cookie. The database does not contain the cookie, so the text cannot
 * be decrypted from the database: what was typed into a field may be anything, also a password.
 */
export const sealText = (cookie: string | undefined, text: string): string | undefined => {
  if (cookie === undefined || text === '') return undefined;
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyFrom(cookie), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
};

/** Returns the text, or undefined if there is none or it was sealed for another cookie. */
export const openText = (cookie: string | undefined, sealed: string | undefined): string | undefined => {
  if (cookie === undefined || sealed === undefined) return undefined;
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', keyFrom(cookie), bytes.subarray(0, 12));
  try {
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
};
