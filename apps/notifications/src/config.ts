import { databaseConfig, days, publicUrl, receiverConfig } from '@xs2a/runtime/config';

export const config = {
  ...databaseConfig,
  ...receiverConfig,
  /**
   * The public origin. Private addresses receive notifications only if its host is a sandbox's loopback host
   * (docs/contract/11-status-push.md).
   */
  BASE_URL: publicUrl(),
  /** Retention of delivered notifications (docs/how-to/retention.md). */
  NOTIFICATIONS_DELIVERED_DAYS: days(1, 90)(7),
  /** Retention of undelivered notifications, which an operator can resend. */
  NOTIFICATIONS_DEAD_DAYS: days(7, 396)(90),
};
