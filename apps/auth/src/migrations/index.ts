import { Auth1700000000001 } from './1-auth.js';

export const schema = 'auth';
export const migrations = [Auth1700000000001];
