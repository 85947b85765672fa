import { Payments1700000000001 } from './1-payments.js';
import { Projections1700000000002 } from './2-projections.js';

export const schema = 'payments';
export const migrations = [Payments1700000000001, Projections1700000000002];
