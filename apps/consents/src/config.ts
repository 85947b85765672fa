import { databaseConfig, flag, relayConfig } from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  ...relayConfig,
  /** AIS calls that arrive together are counted in one statement; false: each has its own (docs/benchmarks.md, What speed costs). */
  COUNT_BATCHING: flag(true),
};
