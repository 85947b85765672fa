import { databaseConfig, days } from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  /** Retention of dead letters, which an operator can replay (docs/how-to/retention.md). */
  DEAD_LETTER_DAYS: days(30, 396)(90),
};
