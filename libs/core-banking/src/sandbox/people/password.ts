import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { HashingSlots, hashesAtOnce } from './hashing-slots.js';

const derive = promisify(argon2);

/** The first argon2id configuration recommended by OWASP: 19 MiB of memory, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

const slots = new HashingSlots(hashesAtOnce(process.env.UV_THREADPOOL_SIZE));

const computeTag = async (password: string, salt: Buffer): Promise<Buffer> =>
  slots.run(() =>
    derive('argon2id', { ...cost, message: Buffer.from(password.normalize('NFC')), nonce: salt }),
  );

const text = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** Hashes a password into a PHC string: algorithm, cost, salt and tag (RFC 9106). */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16);
  const tag = await computeTag(password, salt);
  const parameters = `m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`;
  return `$argon2id$v=19$${parameters}$${text(salt)}$${text(tag)}`;
};

/** Verifies a password. A wrong password takes as long as a correct one. */
export const verifyPassword = async (password: string, hash: string): Promise<boolean> => {
  const [salt, tag] = hash
    .split('$')
    .slice(4)
    .map((part) => Buffer.from(part, 'base64'));
  if (salt === undefined || tag === undefined) throw new Error('a stored password hash is malformed');
  const found = await computeTag(password, salt);
  return found.length === tag.length && timingSafeEqual(found, tag);
};
