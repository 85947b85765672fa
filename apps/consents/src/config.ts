import { databaseConfig, days, flag, relayConfig } from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  ...relayConfig,
  /** AIS calls that arrive together are counted in one statement; false: each has its own (docs/benchmarks.md, What speed costs). */
  COUNT_BATCHING: flag(true),
  /** For how long PSU-IP-Addresses are kept, by consent and day (docs/how-to/retention.md). */
  PSU_ADDRESS_DAYS: days(31, 1827)(396),
  /** For how long the daily statistics of each TPP are kept (docs/how-to/retention.md). */
  TPP_STATISTICS_DAYS: days(123, 1827)(396),
  /** For how long the daily statistics of all calls together are kept (docs/how-to/retention.md). */
  CALL_STATISTICS_DAYS: days(123, 3653)(1827),
};
