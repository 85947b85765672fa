import type { Pool, PoolClient, QueryResult } from 'pg';
import { isUnanswered } from './errors.js';

/**
 * A connection as TypeORM uses it. After a statement without a reply, it accepts no further statements and is
 * removed from the pool.
 */
class SharedConnection {
  broken: Error | undefined;

  constructor(private readonly client: PoolClient) {}

  async query(text: string, values?: unknown[]): Promise<QueryResult> {
    if (this.broken !== undefined) throw this.broken;
    try {
      return await this.client.query(text, values);
    } catch (error) {
      if (isUnanswered(error)) this.broken = error;
      throw error;
    }
  }

  on(event: 'error', listener: (error: Error) => void): void {
    this.client.on(event, listener);
  }

  removeListener(event: 'error', listener: (error: Error) => void): void {
    this.client.removeListener(event, listener);
  }
}

type Connected = (error?: Error, connection?: SharedConnection, release?: (error?: Error) => void) => void;

const handOut = (client: PoolClient, connected: Connected): void => {
  const connection = new SharedConnection(client);
  connected(undefined, connection, (error) => client.release(error ?? connection.broken));
};

/**
 * TypeORM's option `driver` for a service that has a pool: passed in place of the package `pg`, it makes TypeORM
 * use the connections, and so the timeouts, of that pool. The caller owns the pool and closes it.
 */
export const typeormDriver = (pool: Pool) => ({
  Pool: class SharedPool {
    /** The pool's own listener handles lost idle connections. */
    on(): void {}

    connect(connected: Connected): void {
      pool.connect().then(
        (client) => handOut(client, connected),
        (error: Error) => connected(error),
      );
    }

    end(ended: () => void): void {
      ended();
    }
  },
});
