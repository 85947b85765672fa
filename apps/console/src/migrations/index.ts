import { ConsoleBaseline1796300000000 } from './1-baseline.js';

export const schema = 'console';
export const migrations = [ConsoleBaseline1796300000000];
