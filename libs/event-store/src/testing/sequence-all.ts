import type { Pool } from 'pg';
import { RelayLog } from '../publishing/relay-log.js';

/** Assigns positions to all events that have none, as the relay does. */
export const sequenceAll = async (pool: Pool): Promise<void> => {
  const session = await pool.connect();
  try {
    const log = await RelayLog.open(session);
    while ((await log.sequence(await log.head())).length > 0);
  } finally {
    // The log changes planner settings of its session, so the session must not be returned to the pool.
    session.release(true);
  }
};
