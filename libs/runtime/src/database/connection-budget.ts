import { databaseConfig } from '../config.js';

/** Two instances of a service, and one more while they are exchanged. */
const instances = 3;
/** Operators (`xs2a doctor --deep` has up to four connections in a schema), migration jobs, and those PostgreSQL keeps for itself. */
const besideServices = 20;

/**
 * The `max_connections` of PostgreSQL at which two instances of each of so many services with tables, a rolling restart of all
 * of them at once and operators have room. Leader locks, relays and projections take their connections from the pools.
 */
export const connectionsNeeded = (services: number): number =>
  services * instances * (databaseConfig.DATABASE_POOL.fallback ?? 0) + besideServices;
