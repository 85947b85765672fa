import { databaseConfig, days } from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  /** For how long a notification that its TPP took is kept (docs/how-to/retention.md). */
  NOTIFICATIONS_DELIVERED_DAYS: days(1, 90)(7),
  /** For how long one that nobody took is kept, to be sent again by an operator (docs/how-to/retention.md). */
  NOTIFICATIONS_DEAD_DAYS: days(7, 396)(90),
};
