import { isUnanswered } from '@xs2a/postgres/errors';
import type { Pool, PoolClient, QueryResult } from 'pg';
import type { DataSourceOptions, EntityManager } from 'typeorm';
import { TppEntity } from './tpp/tpp.entity.js';

/**
 * TypeORM on the service's own connection pool, so that the service has one pool with one set of timeouts. It reads and writes
 * the tables that are not asked at every call; the others are read by `pg` with named statements (docs/adr/0004). Migrations
 * run in a job of their own (migrate.ts), never here.
 */
export const dataSourceOptions = (pool: Pool): DataSourceOptions => ({
  type: 'postgres',
  driver: driverOn(pool),
  entities: [TppEntity],
  synchronize: false,
  installExtensions: false,
  logging: false,
});

/** A connection as TypeORM uses it. One that left a statement unanswered takes no other, and leaves the pool. */
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

/** TypeORM is given this in place of the package `pg`: its `Pool` hands out connections of the service's own pool. */
const driverOn = (pool: Pool) => ({
  Pool: class SharedPool {
    /** The pool's own listener hears of idle connections that are lost. */
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

/** The connection of a transaction, for statements outside TypeORM. */
export const connectionIn = async ({ queryRunner }: EntityManager): Promise<Pick<PoolClient, 'query'>> => {
  if (queryRunner === undefined) throw new Error('statements beside TypeORM need a transaction');
  return queryRunner.connect();
};
