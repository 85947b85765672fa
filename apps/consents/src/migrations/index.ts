import { ConsentsBaseline1796100000000 } from './1-baseline.js';

export const schema = 'consents';
export const migrations = [ConsentsBaseline1796100000000];
