import { SettlementBaseline1796100000000 } from './1-baseline.js';

export const schema = 'settlement';
export const migrations = [SettlementBaseline1796100000000];
