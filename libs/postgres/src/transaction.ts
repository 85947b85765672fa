import type pg from 'pg';
import { isUnanswered } from './errors.js';
import { promptly } from './pool.js';

/** Runs `work` in one READ COMMITTED transaction. If it fails, rolls back and rethrows the error. */
export const inTransaction = async <Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  // If the connection is lost between two queries, it emits an error event, which would end the process
  // without a listener.
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
