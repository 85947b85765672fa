import { AccountsBaseline1796100000000 } from './1-baseline.js';

export const schema = 'accounts';
export const migrations = [AccountsBaseline1796100000000];
