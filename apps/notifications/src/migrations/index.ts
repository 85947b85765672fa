import { NotificationsBaseline1796100000000 } from './1-baseline.js';

export const schema = 'notifications';
export const migrations = [NotificationsBaseline1796100000000];
