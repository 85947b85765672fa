import { Settlement1700000000001 } from './1-settlement.js';
import { DeadLetterReplays1700000000002 } from './2-dead-letter-replays.js';
import { Unfinished1700000000003 } from './3-unfinished.js';
import { Parts1700000000004 } from './4-parts.js';

export const schema = 'settlement';
export const migrations = [
  Settlement1700000000001,
  DeadLetterReplays1700000000002,
  Unfinished1700000000003,
  Parts1700000000004,
];
