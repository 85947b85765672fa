import { databaseConfig } from '../config.js';

/** Two instances of each service, plus one during a rolling restart. */
const instances = 3;
/**
 * Connections of operators (`xs2a doctor --deep` uses up to four per schema) and of migration jobs, plus those
 * that PostgreSQL reserves.
 */
const besideServices = 20;

/**
 * Returns the `max_connections` that PostgreSQL needs for this many services with tables: two instances of each, a
 * simultaneous rolling restart of all of them, and operators. Leader locks, relays and projections take their
 * connections from the pools.
 */
export const connectionsNeeded = (services: number): number =>
  services * instances * (databaseConfig.DATABASE_POOL.fallback ?? 0) + besideServices;
