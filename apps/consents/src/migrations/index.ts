import { ConsentsBaseline1795700000000 } from './1-baseline.js';
import { RecentUses1795863600000 } from './2-recent-uses.js';

export const schema = 'consents';
export const migrations = [ConsentsBaseline1795700000000, RecentUses1795863600000];
