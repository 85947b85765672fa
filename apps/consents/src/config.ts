import { databaseConfig, days, flag, relayConfig } from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  ...relayConfig,
  /** If true, AIS calls that arrive together are counted in one statement (docs/benchmarks.md, What speed costs). */
  COUNT_BATCHING: flag(true),
  /** How many days PSU-IP-Addresses are kept (docs/how-to/retention.md). */
  PSU_ADDRESS_DAYS: days(31, 1827)(396),
  /** How many days the daily statistics of each TPP are kept. */
  TPP_STATISTICS_DAYS: days(123, 1827)(396),
  /** How many days the daily statistics of all calls are kept. */
  CALL_STATISTICS_DAYS: days(123, 3653)(1827),
};
