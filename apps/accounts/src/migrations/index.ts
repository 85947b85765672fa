import { SandboxBank1700000000001 } from './1-sandbox-bank.js';
import { SandboxAttempts1700000000002 } from './2-attempts.js';
import { EntryDetails1700000000003 } from './3-entry-details.js';
import { TransferLegs1700000000004 } from './4-transfer-legs.js';
import { Simulations1700000000005 } from './5-simulations.js';
import { AccountStatus1700000000006 } from './6-account-status.js';
import { TransferCompletions1700000000007 } from './7-transfer-completions.js';
import { BatchEntries1700000000008 } from './8-batch-entries.js';
import { TransfersByPayment1700000000009 } from './9-transfers-by-payment.js';
import { HashedIdempotencyKeys1796050000003 } from './10-hashed-idempotency-keys.js';
import { WithoutValueStatistics1796050000008 } from './10-without-value-statistics.js';

export const schema = 'accounts';
export const migrations = [
  SandboxBank1700000000001,
  SandboxAttempts1700000000002,
  EntryDetails1700000000003,
  TransferLegs1700000000004,
  Simulations1700000000005,
  AccountStatus1700000000006,
  TransferCompletions1700000000007,
  BatchEntries1700000000008,
  TransfersByPayment1700000000009,
  HashedIdempotencyKeys1796050000003,
  WithoutValueStatistics1796050000008,
];
