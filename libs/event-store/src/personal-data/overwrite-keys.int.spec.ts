import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { type SampleDatabase, startSampleDatabase } from '../testing/sample-stream.js';
import { overwriteRemovedKeys } from './overwrite-keys.js';

const keys = Array.from({ length: 300 }, () => randomBytes(40));
const removed = keys.filter((_, index) => index % 50 === 0);

let database: SampleDatabase;
let owner: Pool;

beforeAll(async () => {
  database = await startSampleDatabase();
  owner = database.superuserPool('payments');
  await owner.query(
    "INSERT INTO stream_key (stream_id, wrapped, master_key) SELECT gen_random_uuid(), key, 'test' FROM unnest($1::bytea[]) AS key",
    [keys],
  );
});
afterAll(async () => database.stop());

const removeKeys = async (): Promise<unknown> =>
  owner.query(
    'UPDATE stream_key SET wrapped = NULL, master_key = NULL, forgotten_at = now() WHERE wrapped = ANY($1::bytea[])',
    [removed],
  );

/** How many of these keys the table's file holds. */
const inFile = async (some: readonly Buffer[]): Promise<number> => {
  await owner.query('CHECKPOINT');
  const { rows } = await owner.query<{ file: Buffer }>(
    "SELECT pg_read_binary_file(pg_relation_filepath('stream_key')) AS file",
  );
  return some.filter((key) => rows[0]?.file.includes(key) === true).length;
};

describe('keys that were removed', () => {
  it('stay in the file while a transaction from before is open, which is named', async () => {
    const other = await owner.connect();
    try {
      const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      // A dump may take its time, unlike the transactions of services.
      await other.query("SET application_name = 'pg_dump'; SET transaction_timeout = 0");
      await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await other.query('SELECT FROM events LIMIT 1');
      await removeKeys();
      expect(await overwriteRemovedKeys(owner, 'payments')).toEqual([`session ${rows[0]?.pid} of pg_dump`]);
      expect(await inFile(removed)).toBe(removed.length);
    } finally {
      await other.query('ROLLBACK');
      other.release();
    }
  }, 60_000);

  it('stay in the file while another session has the table locked, which is told', async () => {
    const other = await owner.connect();
    try {
      await other.query('BEGIN');
      await other.query('LOCK TABLE stream_key IN SHARE UPDATE EXCLUSIVE MODE');
      expect(await overwriteRemovedKeys(owner, 'payments')).toEqual(['a session that has the table locked']);
      expect(await inFile(removed)).toBe(removed.length);
    } finally {
      await other.query('ROLLBACK');
      other.release();
    }
  });

  it('are in the file no more afterwards, and all others are', async () => {
    expect(await overwriteRemovedKeys(owner, 'payments')).toEqual([]);
    expect(await inFile(removed)).toBe(0);
    expect(await inFile(keys)).toBe(keys.length - removed.length);
  });
});
