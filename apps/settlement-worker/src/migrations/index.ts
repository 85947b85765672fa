import { SettlementBaseline1795700000000 } from './1-baseline.js';

export const schema = 'settlement';
export const migrations = [SettlementBaseline1795700000000];
