import { PaymentsBaseline1795700000000 } from './1-baseline.js';
import { PaymentSearch1795777200001 } from './2-payment-search.js';
import { PaymentSearchIndexes1795777200002 } from './3-payment-search-indexes.js';
import { InstantPayments1795860000001 } from './4-instant-payments.js';
import { DueInstants1795860000002 } from './5-due-instants.js';
import { SwitchOver1795887000000 } from './6-switch-over.js';
import { PayeeVerificationLeases1795888800000 } from './7-payee-verification-leases.js';
import { ReadModelRebuilds1797100000000 } from './8-read-model-rebuilds.js';
import { WaitingApprovals1797100000001 } from './9-waiting-approvals.js';
import { WaitingApprovalIndexes1797100000002 } from './10-waiting-approval-indexes.js';
import { RedundantIndex1797200000000 } from './11-redundant-index.js';

export const schema = 'payments';
export const migrations = [
  PaymentsBaseline1795700000000,
  PaymentSearch1795777200001,
  PaymentSearchIndexes1795777200002,
  InstantPayments1795860000001,
  DueInstants1795860000002,
  SwitchOver1795887000000,
  PayeeVerificationLeases1795888800000,
  ReadModelRebuilds1797100000000,
  WaitingApprovals1797100000001,
  WaitingApprovalIndexes1797100000002,
  RedundantIndex1797200000000,
];
