import { AuthBaseline1796100000000 } from './1-baseline.js';

export const schema = 'auth';
export const migrations = [AuthBaseline1796100000000];
