import type pg from 'pg';
import { isUnanswered } from './errors.js';
import { promptly } from './pool.js';

/** Runs `work` in one READ COMMITTED transaction; on an error, rolls back and rethrows it. */
export const inTransaction = async <Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection lost between two queries emits an event; without a listener, it would end the process.
  const lost = (error: Error): void => {
    broken = error;
  };
  client.on('error', lost);
  try {
    await client.query(promptly({ text: 'BEGIN' }));
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    if (isUnanswered(error)) broken = error;
    else
      await client.query('ROLLBACK').catch((rollback: Error) => {
        broken = rollback;
      });
    throw error;
  } finally {
    client.off('error', lost);
    client.release(broken);
  }
};
