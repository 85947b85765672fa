import { isLive } from '@xs2a/postgres/session-lock';
import { type Connections, oneRow, type Schema } from '../connections.js';

export interface Leaders {
  /**
   * The host of the leading instance, or the name of a program that holds the lock without leading; undefined if
   * nobody holds the lock.
   */
  readonly active?: string;
  readonly leads: boolean;
  /** The number of instances that are waiting for the lock. */
  readonly standby: number;
}

/**
 * Finds the instance of a service that holds a lock in the service's schema, and the instances that wait for it.
 * Instances are recognised as sessions with the service's role.
 */
export const findLeaders = async (
  connections: Connections,
  schema: Schema,
  lock: string,
): Promise<Leaders> => {
  const { name, standby } = await oneRow<{ name: string | null; standby: number }>(
    connections.pool(schema),
    `SELECT (SELECT s.application_name FROM session_lock l, pg_stat_get_activity(l.pid) AS s WHERE l.name = $1 AND ${isLive('l')}) AS name,
      (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = $2
        AND starts_with(application_name, $1 || ' standby ')) AS standby`,
    [lock, `xs2a_${schema}`],
  );
  if (name === null) return { leads: false, standby };
  const prefix = `${lock} active `;
  return name.startsWith(prefix)
    ? { active: name.slice(prefix.length), leads: true, standby }
    : { active: name, leads: false, standby };
};
