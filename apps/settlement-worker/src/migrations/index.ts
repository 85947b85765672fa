import { Settlement1700000000001 } from './1-settlement.js';

export const schema = 'settlement';
export const migrations = [Settlement1700000000001];
