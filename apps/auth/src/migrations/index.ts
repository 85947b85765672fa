import { AuthBaseline1795700000000 } from './1-baseline.js';

export const schema = 'auth';
export const migrations = [AuthBaseline1795700000000];
