import { databaseConfig, days, publicUrl, receiverConfig } from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  ...receiverConfig,
  /** The public origin. Unless its host is a loopback one of a sandbox, nothing is sent to a private address (docs/contract/11-status-push.md). */
  BASE_URL: publicUrl(),
  /** For how long a notification that its TPP took is kept (docs/how-to/retention.md). */
  NOTIFICATIONS_DELIVERED_DAYS: days(1, 90)(7),
  /** For how long one that nobody took is kept, to be sent again by an operator (docs/how-to/retention.md). */
  NOTIFICATIONS_DEAD_DAYS: days(7, 396)(90),
};
