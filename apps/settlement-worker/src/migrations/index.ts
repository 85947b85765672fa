import { SettlementBaseline1795700000000 } from './1-baseline.js';
import { InstantFollowUps1795860000001 } from './2-instant-follow-ups.js';
import { InstantHolds1795887600000 } from './3-instant-holds.js';
import { InstantDeadlines1795888800000 } from './4-instant-deadlines.js';

export const schema = 'settlement';
export const migrations = [
  SettlementBaseline1795700000000,
  InstantFollowUps1795860000001,
  InstantHolds1795887600000,
  InstantDeadlines1795888800000,
];
