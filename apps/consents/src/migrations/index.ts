import { ConsentsBaseline1795700000000 } from './1-baseline.js';
import { RecentUses1795863600000 } from './2-recent-uses.js';
import { ReadModelRebuilds1797100000000 } from './3-read-model-rebuilds.js';
import { WaitingApprovals1797100000001 } from './4-waiting-approvals.js';
import { WaitingApprovalIndexes1797100000002 } from './5-waiting-approval-indexes.js';

export const schema = 'consents';
export const migrations = [
  ConsentsBaseline1795700000000,
  RecentUses1795863600000,
  ReadModelRebuilds1797100000000,
  WaitingApprovals1797100000001,
  WaitingApprovalIndexes1797100000002,
];
