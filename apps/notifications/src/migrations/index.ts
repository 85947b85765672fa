import { NotificationsBaseline1795700000000 } from './1-baseline.js';

export const schema = 'notifications';
export const migrations = [NotificationsBaseline1795700000000];
