import { Notifications1700000000001 } from './1-notifications.js';
import { UnreadResources1700000000002 } from './2-unread-resources.js';
import { WithoutValueStatistics1796050000009 } from './3-without-value-statistics.js';

export const schema = 'notifications';
export const migrations = [
  Notifications1700000000001,
  UnreadResources1700000000002,
  WithoutValueStatistics1796050000009,
];
