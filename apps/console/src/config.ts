import { type ConfigOf, databaseConfig, days } from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  /** Retention of the calls of the API, one row each (docs/how-to/retention.md). */
  CALL_DAYS: days(1, 396)(30),
};

export type ConsoleConfig = ConfigOf<typeof config>;
