import { typeormDriver } from '@xs2a/postgres/typeorm-driver';
import type { Pool, PoolClient } from 'pg';
import type { DataSourceOptions, EntityManager } from 'typeorm';
import { TppEntity } from './tpp/tpp.entity.js';

/**
 * Runs TypeORM on the service's own connection pool, so that the service has one pool with one set of timeouts.
 * TypeORM accesses the tables that are not needed for every call; `pg` reads the others with named statements
 * (docs/adr/0004). Migrations run in a separate job (migrate.ts), never here.
 */
export const dataSourceOptions = (pool: Pool): DataSourceOptions => ({
  type: 'postgres',
  driver: typeormDriver(pool),
  entities: [TppEntity],
  synchronize: false,
  installExtensions: false,
  logging: false,
});

/** Returns the connection of a transaction, for statements that TypeORM does not run. */
export const connectionIn = async ({ queryRunner }: EntityManager): Promise<Pick<PoolClient, 'query'>> => {
  if (queryRunner === undefined) throw new Error('statements outside TypeORM need a transaction');
  return queryRunner.connect();
};
