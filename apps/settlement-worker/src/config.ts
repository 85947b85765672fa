import { databaseConfig, days } from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  /** For how long an event that could not be handled is kept, to be handled again by an operator (docs/how-to/retention.md). */
  DEAD_LETTER_DAYS: days(30, 396)(90),
};
