import type { PoolClient } from 'pg';

/**
 * Locks the keys of streams in a transaction, in id order. All code that changes several keys locks them this way,
 * so that concurrent transactions wait for each other; otherwise they could deadlock, and PostgreSQL would abort
 * one of them (40P01).
 */
export const lockKeys = async (client: PoolClient, streamIds: readonly string[]): Promise<void> => {
  await client.query(
    'SELECT FROM stream_key WHERE stream_id = ANY($1::uuid[]) ORDER BY stream_id FOR UPDATE',
    [streamIds],
  );
};
