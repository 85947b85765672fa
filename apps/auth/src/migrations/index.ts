import { AuthBaseline1795700000000 } from './1-baseline.js';
import { ScaUnlocks1795777200000 } from './2-sca-unlocks.js';

export const schema = 'auth';
export const migrations = [AuthBaseline1795700000000, ScaUnlocks1795777200000];
