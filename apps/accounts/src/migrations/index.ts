import { AccountsBaseline1795700000000 } from './1-baseline.js';

export const schema = 'accounts';
export const migrations = [AccountsBaseline1795700000000];
