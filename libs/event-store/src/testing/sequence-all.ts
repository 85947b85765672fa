import type { Pool } from 'pg';
import { RelayLog } from '../publishing/relay-log.js';

/** Gives positions to all events that have none, as the relay does. */
export const sequenceAll = async (pool: Pool): Promise<void> => {
  const session = await pool.connect();
  try {
    const log = await RelayLog.open(session);
    while ((await log.sequence(await log.head())).length > 0);
  } finally {
    // The log changes planner settings of its session, which must not come back to the pool.
    session.release(true);
  }
};
