import { databaseConfig, days, flag, relayConfig } from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  ...relayConfig,
  /** AIS calls that arrive together are counted in one statement (docs/benchmarks.md, What speed costs). */
  COUNT_BATCHING: flag(true),
  /** Retention of PSU-IP-Addresses (docs/how-to/retention.md). */
  PSU_ADDRESS_DAYS: days(31, 1827)(396),
  /** Retention of the daily statistics of each TPP. */
  TPP_STATISTICS_DAYS: days(123, 1827)(396),
  /** Retention of the daily statistics of all calls. */
  CALL_STATISTICS_DAYS: days(123, 3653)(1827),
};
