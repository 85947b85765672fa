import { AuthBaseline1795700000000 } from './1-baseline.js';
import { ScaUnlocks1795777200000 } from './2-sca-unlocks.js';
import { FailureTimes1795950000000 } from './4-failure-times.js';
import { ReplacedCodes1795863600000 } from './3-replaced-codes.js';

export const schema = 'auth';
export const migrations = [
  AuthBaseline1795700000000,
  ScaUnlocks1795777200000,
  ReplacedCodes1795863600000,
  FailureTimes1795950000000,
];
