import { Settlement1700000000001 } from './1-settlement.js';
import { DeadLetterReplays1700000000002 } from './2-dead-letter-replays.js';

export const schema = 'settlement';
export const migrations = [Settlement1700000000001, DeadLetterReplays1700000000002];
