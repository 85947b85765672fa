import { isUnanswered } from '@xs2a/postgres/errors';
import type { Pool, PoolClient, QueryResult } from 'pg';
import type { DataSourceOptions, EntityManager } from 'typeorm';
import { TppEntity } from './tpp/tpp.entity.js';

/**
 * Runs TypeORM on the service's own connection pool, so that the service has one pool with one set of timeouts.
 * TypeORM accesses the tables that are not needed for every call; `pg` reads the others with named statements
 * (docs/adr/0004). Migrations run in a separate job (migrate.ts), never here.
 */
export const dataSourceOptions = (pool: Pool): DataSourceOptions => ({
  type: 'postgres',
  driver: driverOn(pool),
  entities: [TppEntity],
  synchronize: false,
  installExtensions: false,
  logging: false,
});

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

/** Passed to TypeORM in place of the package `pg`; its `Pool` hands out connections from the service's own pool. */
const driverOn = (pool: Pool) => ({
  Pool: class SharedPool {
    /** The pool's own listener handles lost idle connections. */
    on(): void {}

    connect(connected: Connected): void {
      pool.connect().then(
        (client) => handOut(client, connected),
        (error: Error) => connected(error),
      );
    }

    /** The caller owns the pool and closes it. */
    end(ended: () => void): void {
      ended();
    }
  },
});

/** Returns the connection of a transaction, for statements that TypeORM does not run. */
export const connectionIn = async ({ queryRunner }: EntityManager): Promise<Pick<PoolClient, 'query'>> => {
  if (queryRunner === undefined) throw new Error('statements outside TypeORM need a transaction');
  return queryRunner.connect();
};
