import { PaymentsBaseline1795700000000 } from './1-baseline.js';

export const schema = 'payments';
export const migrations = [PaymentsBaseline1795700000000];
