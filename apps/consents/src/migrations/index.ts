import { ConsentsBaseline1795700000000 } from './1-baseline.js';

export const schema = 'consents';
export const migrations = [ConsentsBaseline1795700000000];
