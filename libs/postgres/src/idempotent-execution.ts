import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { ClientBase } from 'pg';
import { isLockTimeout } from './errors.js';

/** An idempotency key with whose it is, and the path and body of the request that carried it (contract 2). */
export interface OwnedKey {
  /** The owner of the key; empty where callers have no name. */
  readonly owner: string;
  readonly key: string;
  readonly path: string;
  /** SHA-256 of the body, hex. */
  readonly hash: string;
}

/**
 * The answer, or why there is none. `reused`: the key belongs to another body. `under-way`: the first request with the key
 * still holds it after the lock's time.
 */
export type IdempotentOutcome<Answer> =
  | { readonly answer: Answer }
  | { readonly taken: 'reused' | 'under-way' };

/** Undefined for a request without an idempotency key: each of these is executed. */
export const toOwnedKey = (
  owner: string,
  { key, path, hash }: { readonly key?: string; readonly path: string; readonly hash: string },
): OwnedKey | undefined => (key === undefined ? undefined : { owner, key, path, hash });

const keptMs = 24 * 60 * 60 * 1000;

/** SQL of the table that {@link executeIdempotently} needs in a schema, for a migration. */
export const idempotencyTable = (schema: string, serviceRole: string): string => `
CREATE TABLE ${schema}.attempt (
  id bytea PRIMARY KEY,
  hash text NOT NULL,
  answer bytea,
  expires_at timestamptz NOT NULL
);
CREATE INDEX attempt_expiry ON ${schema}.attempt (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.attempt TO ${serviceRole};
`;

/**
 * Does `work` once for an idempotency key, in the transaction of `client`: a repeat within 24 hours gets the first answer again,
 * parallel ones wait for the first. An answer that is not `isKept` (a refusal) frees the key. Answers may hold a secret
 * that is shown once, so they are sealed with the idempotency key itself, of which the table has only a hash.
 */
export const executeIdempotently = async <Answer>(
  client: Pick<ClientBase, 'query'>,
  { key, nowMs }: { readonly key: OwnedKey | undefined; readonly nowMs: number },
  isKept: (answer: Answer) => boolean,
  work: () => Promise<Answer>,
): Promise<IdempotentOutcome<Answer>> => {
  if (key === undefined) return { answer: await work() };
  const id = hashKey(key);
  const claimed = await claim(client, { id, hash: key.hash, nowMs });
  if (claimed === 'under-way') return { taken: 'under-way' };
  if (claimed === 'kept') return replay<Answer>(client, key, id);
  const answer = await work();
  await (isKept(answer)
    ? client.query('UPDATE attempt SET answer = $2 WHERE id = $1', [id, seal(key, answer)])
    : client.query('DELETE FROM attempt WHERE id = $1', [id]));
  return { answer };
};

const claim = async (
  client: Pick<ClientBase, 'query'>,
  { id, hash, nowMs }: { readonly id: Buffer; readonly hash: string; readonly nowMs: number },
): Promise<'claimed' | 'kept' | 'under-way'> => {
  const now = new Date(nowMs);
  await client.query(
    `DELETE FROM attempt WHERE id IN (
       SELECT id FROM attempt WHERE expires_at <= $1 AND id <> $2 ORDER BY expires_at LIMIT 20 FOR UPDATE SKIP LOCKED)`,
    [now, id],
  );
  try {
    const { rowCount } = await client.query(
      `INSERT INTO attempt AS kept (id, hash, expires_at) VALUES ($1, $2, $3)
       ON CONFLICT (id) DO UPDATE SET hash = excluded.hash, answer = NULL, expires_at = excluded.expires_at
       WHERE kept.expires_at <= $4`,
      [id, hash, new Date(nowMs + keptMs), now],
    );
    return rowCount === 1 ? 'claimed' : 'kept';
  } catch (error) {
    if (isLockTimeout(error)) return 'under-way';
    throw error;
  }
};

const replay = async <Answer>(
  client: Pick<ClientBase, 'query'>,
  key: OwnedKey,
  id: Buffer,
): Promise<IdempotentOutcome<Answer>> => {
  const { rows } = await client.query<{ hash: string; answer: Buffer | null }>(
    'SELECT hash, answer FROM attempt WHERE id = $1',
    [id],
  );
  const [row] = rows;
  if (row?.answer === undefined || row.answer === null) return { taken: 'under-way' };
  if (row.hash !== key.hash) return { taken: 'reused' };
  return { answer: unseal<Answer>(key, row.answer) };
};

const digest = (...parts: readonly string[]): Buffer =>
  createHash('sha256').update(JSON.stringify(parts)).digest();
const hashKey = ({ owner, path, key }: OwnedKey): Buffer => digest('attempt', owner, path, key);
const deriveSecret = ({ owner, path, key, hash }: OwnedKey): Buffer =>
  digest('answer', owner, path, key, hash);

const nonceBytes = 12;
const tagBytes = 16;

const seal = (key: OwnedKey, answer: unknown): Buffer => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', deriveSecret(key), nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
};

const unseal = <Answer>(key: OwnedKey, sealed: Buffer): Answer => {
  const decipher = createDecipheriv('aes-256-gcm', deriveSecret(key), sealed.subarray(0, nonceBytes));
  decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
  return JSON.parse(text.toString('utf8')) as Answer;
};
