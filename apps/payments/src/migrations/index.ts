import { PaymentsBaseline1796100000000 } from './1-baseline.js';

export const schema = 'payments';
export const migrations = [PaymentsBaseline1796100000000];
