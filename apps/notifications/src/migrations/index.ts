import { Notifications1700000000001 } from './1-notifications.js';

export const schema = 'notifications';
export const migrations = [Notifications1700000000001];
