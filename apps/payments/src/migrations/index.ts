import { Payments1700000000001 } from './1-payments.js';

export const schema = 'payments';
export const migrations = [Payments1700000000001];
