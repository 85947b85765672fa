import type { HashKey, HashKeys } from './hash-keys.js';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { ClientBase } from 'pg';
import { isLockTimeout } from './errors.js';

/** An idempotency key, its owner, and the path and body of the request (contract 2). */
export interface OwnedKey {
  /** The owner of the key; empty if callers are anonymous. */
  readonly owner: string;
  readonly key: string;
  readonly path: string;
  /** SHA-256 of the body, in hex. */
  readonly hash: string;
}

/**
 * The response, or the reason why there is none. `reused`: the key was already used with another body.
 * `under-way`: the first request with the key still holds the lock after the lock timeout.
 */
export type IdempotentOutcome<Answer> =
  | { readonly answer: Answer }
  | { readonly taken: 'reused' | 'under-way' };

/** The clock and the hash keys used to execute a request. */
interface Execution {
  readonly key: OwnedKey | undefined;
  readonly nowMs: number;
  readonly hashKeys: HashKeys;
}

/** Returns undefined for a request without an idempotency key; such a request is always executed. */
export const toOwnedKey = (
  owner: string,
  { key, path, hash }: { readonly key?: string; readonly path: string; readonly hash: string },
): OwnedKey | undefined => (key === undefined ? undefined : { owner, key, path, hash });

const keptMs = 24 * 60 * 60 * 1000;

/** Returns SQL for a migration that creates, in a schema, the table that {@link executeIdempotently} needs. */
export const idempotencyTable = (schema: string, serviceRole: string): string => `
CREATE TABLE ${schema}.idempotency_key (
  id bytea PRIMARY KEY,
  hash text NOT NULL,
  answer bytea,
  expires_at timestamptz NOT NULL,
  key_name text NOT NULL
);
CREATE INDEX idempotency_key_expiry ON ${schema}.idempotency_key (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.idempotency_key TO ${serviceRole};
`;

/**
 * Runs `work` once per idempotency key, in the transaction of `client`. A repeat within 24 hours receives the
 * first response again; concurrent repeats wait for the first request. A response that is not `isKept` (a refusal)
 * releases the key. Key and body are stored as HMACs, so a guess of either cannot be confirmed from the table.
 * Because a response may contain a secret that is shown only once, it is encrypted with the idempotency key and the
 * body, neither of which is in the table.
 */
export const executeIdempotently = async <Answer>(
  client: Pick<ClientBase, 'query'>,
  { key, nowMs, hashKeys }: Execution,
  isKept: (answer: Answer) => boolean,
  work: () => Promise<Answer>,
): Promise<IdempotentOutcome<Answer>> => {
  if (key === undefined) return { answer: await work() };
  const rows = hashKeys.all.map((hashKey) => keptRow(key, hashKey));
  const claimed = await claim(client, rows, nowMs);
  if (claimed === 'under-way') return { taken: 'under-way' };
  if (claimed !== 'claimed') return replay<Answer>(client, claimed);
  const answer = await work();
  for (const { id, secret } of rows)
    await (isKept(answer)
      ? client.query('UPDATE idempotency_key SET answer = $2 WHERE id = $1', [id, encrypt(secret, answer)])
      : client.query('DELETE FROM idempotency_key WHERE id = $1', [id]));
  return { answer };
};

/**
 * Returns why a request with this key and body would not be executed, after waiting for a concurrent request with
 * the key; undefined if it would be, or would receive the first response. Claims no key.
 */
export const checkKey = async (
  client: Pick<ClientBase, 'query'>,
  execution: Execution,
): Promise<'reused' | 'under-way' | undefined> => {
  const outcome = await executeIdempotently(
    client,
    execution,
    () => false,
    async () => undefined,
  );
  return 'taken' in outcome ? outcome.taken : undefined;
};

/** The row of an idempotency key under one of the hash keys, and the secret that encrypts its response. */
interface KeptRow {
  readonly id: Buffer;
  readonly hash: string;
  readonly keyName: string;
  readonly secret: Buffer;
}

const keptRow = ({ owner, path, key, hash }: OwnedKey, { name, hmac }: HashKey): KeptRow => ({
  id: hmac('key', owner, path, key),
  hash: hmac('body', owner, path, key, hash).toString('base64url'),
  keyName: name,
  secret: hmac('answer', owner, path, key, hash),
});

/**
 * Claims the key under each hash key, in an order common to all instances. An instance that shares only some of
 * the hash keys therefore waits for the shared row, or finds it. Returns the row of an earlier request, if there
 * is one.
 */
const claim = async (
  client: Pick<ClientBase, 'query'>,
  rows: readonly KeptRow[],
  nowMs: number,
): Promise<'claimed' | 'under-way' | KeptRow> => {
  const now = new Date(nowMs);
  const ids = rows.map(({ id }) => id);
  await client.query(
    `DELETE FROM idempotency_key WHERE id IN (
       SELECT id FROM idempotency_key WHERE expires_at <= $1 AND id <> ALL($2) ORDER BY expires_at LIMIT 20 FOR UPDATE SKIP LOCKED)`,
    [now, ids],
  );
  for (const [index, row] of rows.entries()) {
    try {
      const { rowCount } = await client.query(
        `INSERT INTO idempotency_key AS kept (id, hash, key_name, expires_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (id) DO UPDATE
           SET hash = excluded.hash, key_name = excluded.key_name, answer = NULL, expires_at = excluded.expires_at
         WHERE kept.expires_at <= $5`,
        [row.id, row.hash, row.keyName, new Date(nowMs + keptMs), now],
      );
      if (rowCount === 1) continue;
    } catch (error) {
      if (isLockTimeout(error)) return 'under-way';
      throw error;
    }
    await client.query('DELETE FROM idempotency_key WHERE id = ANY($1)', [ids.slice(0, index)]);
    return row;
  }
  return 'claimed';
};

const replay = async <Answer>(
  client: Pick<ClientBase, 'query'>,
  { id, hash, secret }: KeptRow,
): Promise<IdempotentOutcome<Answer>> => {
  const { rows } = await client.query<{ hash: string; answer: Buffer | null }>(
    'SELECT hash, answer FROM idempotency_key WHERE id = $1',
    [id],
  );
  const [row] = rows;
  if (row?.answer === undefined || row.answer === null) return { taken: 'under-way' };
  if (row.hash !== hash) return { taken: 'reused' };
  return { answer: decrypt<Answer>(secret, row.answer) };
};

const nonceBytes = 12;
const tagBytes = 16;

const encrypt = (secret: Buffer, answer: unknown): Buffer => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
};

const decrypt = <Answer>(secret: Buffer, encrypted: Buffer): Answer => {
  const decipher = createDecipheriv('aes-256-gcm', secret, encrypted.subarray(0, nonceBytes));
  decipher.setAuthTag(encrypted.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = Buffer.concat([decipher.update(encrypted.subarray(nonceBytes + tagBytes)), decipher.final()]);
  return JSON.parse(text.toString('utf8')) as Answer;
};
