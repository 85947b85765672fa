import { NotificationsBaseline1795700000000 } from './1-baseline.js';
import { NotificationTrace1795778000000 } from './2-notification-trace.js';
import { NotificationResource1796600000000 } from './3-notification-resource.js';
import { NotificationTries1796900000000 } from './4-notification-tries.js';

export const schema = 'notifications';
export const migrations = [
  NotificationsBaseline1795700000000,
  NotificationTrace1795778000000,
  NotificationResource1796600000000,
  NotificationTries1796900000000,
];
