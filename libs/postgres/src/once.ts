import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { ClientBase } from 'pg';
import { isLockTimeout } from './errors.js';

/** An attempt to create something, as its sender names it (contract 2). */
export interface NamedAttempt {
  /** The owner of the key; empty where callers have no name. */
  readonly owner: string;
  readonly key: string;
  readonly path: string;
  /** SHA-256 of the body, hex. */
  readonly hash: string;
}

/**
 * The outcome of an attempt. `reused`: its key belongs to another body. `under-way`: the first one still holds it after
 * the lock's time.
 */
export type Once<Answer> = { readonly answer: Answer } | { readonly taken: 'reused' | 'under-way' };

/** The attempt of a request that carries a key; undefined: every such request is its own attempt. */
export const namedAttempt = (
  owner: string,
  { key, path, hash }: { readonly key?: string; readonly path: string; readonly hash: string },
): NamedAttempt | undefined => (key === undefined ? undefined : { owner, key, path, hash });

const keptMs = 24 * 60 * 60 * 1000;

/** SQL of the table that {@link once} needs in a schema, for a migration. */
export const attemptTable = (schema: string, serviceRole: string): string => `
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
 * Does `work` once for an attempt, in the transaction of `client`: a repeat within 24 hours gets the first answer again,
 * parallel ones wait for the first. An answer that is not `isKept` (a refusal) frees the key. Answers may hold a secret
 * that is told once, so they are sealed with the attempt's own key, of which the table has only a hash.
 */
export const once = async <Answer>(
  client: Pick<ClientBase, 'query'>,
  { attempt, nowMs }: { readonly attempt: NamedAttempt | undefined; readonly nowMs: number },
  isKept: (answer: Answer) => boolean,
  work: () => Promise<Answer>,
): Promise<Once<Answer>> => {
  if (attempt === undefined) return { answer: await work() };
  const id = idOf(attempt);
  const claimed = await claim(client, { id, hash: attempt.hash, nowMs });
  if (claimed === 'under-way') return { taken: 'under-way' };
  if (claimed === 'kept') return replay<Answer>(client, attempt, id);
  const answer = await work();
  await (isKept(answer)
    ? client.query('UPDATE attempt SET answer = $2 WHERE id = $1', [id, sealed(attempt, answer)])
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
  attempt: NamedAttempt,
  id: Buffer,
): Promise<Once<Answer>> => {
  const { rows } = await client.query<{ hash: string; answer: Buffer | null }>(
    'SELECT hash, answer FROM attempt WHERE id = $1',
    [id],
  );
  const [row] = rows;
  if (row?.answer === undefined || row.answer === null) return { taken: 'under-way' };
  if (row.hash !== attempt.hash) return { taken: 'reused' };
  return { answer: opened<Answer>(attempt, row.answer) };
};

const digest = (...parts: readonly string[]): Buffer =>
  createHash('sha256').update(JSON.stringify(parts)).digest();
const idOf = ({ owner, path, key }: NamedAttempt): Buffer => digest('attempt', owner, path, key);
const sealOf = ({ owner, path, key, hash }: NamedAttempt): Buffer => digest('answer', owner, path, key, hash);

const nonceBytes = 12;
const tagBytes = 16;

const sealed = (attempt: NamedAttempt, answer: unknown): Buffer => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', sealOf(attempt), nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
};

const opened = <Answer>(attempt: NamedAttempt, seal: Buffer): Answer => {
  const decipher = createDecipheriv('aes-256-gcm', sealOf(attempt), seal.subarray(0, nonceBytes));
  decipher.setAuthTag(seal.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = Buffer.concat([decipher.update(seal.subarray(nonceBytes + tagBytes)), decipher.final()]);
  return JSON.parse(text.toString('utf8')) as Answer;
};
