import { databaseConfig } from '../config.js';

/** Two instances of a service, plus one during a rolling restart. */
const instances = 3;
/**
 * Connections of operators (`xs2a doctor --deep` uses up to four per schema), of migration jobs, and those that
 * PostgreSQL reserves.
 */
const besideServices = 20;

/**
 * The `max_connections` that PostgreSQL needs for two instances of each of this many services with tables, a
 * simultaneous rolling restart of all of them, and operators. Leader locks, relays and projections take their
 * connections from the pools.
 */
export const connectionsNeeded = (services: number): number =>
  services * instances * (databaseConfig.DATABASE_POOL.fallback ?? 0) + besideServices;
