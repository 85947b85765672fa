import type { PoolClient } from 'pg';

/**
 * Locks the keys of streams in a transaction, in the order of their ids: all that change several keys lock them so, and one that
 * meets another waits for it, where PostgreSQL would end one of two that wait for each other (40P01).
 */
export const lockKeys = async (client: PoolClient, streamIds: readonly string[]): Promise<void> => {
  await client.query(
    'SELECT FROM stream_key WHERE stream_id = ANY($1::uuid[]) ORDER BY stream_id FOR UPDATE',
    [streamIds],
  );
};
