import { Payments1700000000001 } from './1-payments.js';
import { Projections1700000000002 } from './2-projections.js';
import { JsonAsText1700000000003 } from './3-json-as-text.js';
import { SeveralSigners1700000000004 } from './4-several-signers.js';
import { AttemptsByExpiry1700000000005 } from './5-attempts-by-expiry.js';
import { DuePayments1700000000006 } from './6-due-payments.js';
import { EventsByMonth1700000000007 } from './7-events-by-month.js';
import { LogGaps1700000000008 } from './8-log-gaps.js';
import { Notified1700000000009 } from './9-notified.js';
import { PaymentServices1700000000010 } from './10-payment-services.js';
import { SigningBaskets1700000000011 } from './11-signing-baskets.js';
import { LostEvents1700000000012 } from './12-lost-events.js';
import { ArchivedMonths1700000000013 } from './13-archived-months.js';
import { ArchivedVolume1700000000014 } from './14-archived-volume.js';
import { StreamKeys1700000000015 } from './15-stream-keys.js';
import { ArchiveProgress1700000000016 } from './16-archive-progress.js';
import { PrivacyLog1700000000017 } from './17-privacy-log.js';
import { ViewStorage1700000000018 } from './18-view-storage.js';
import { WithoutEventIndex1700000000019 } from './19-without-event-index.js';
import { DueLanes1796030000000, DueLanesIndex1796030000001 } from './21-due-lanes.js';
import { HashedIdempotencyKeys1796050000000 } from './23-hashed-idempotency-keys.js';
import { WithoutValueStatistics1796050000005 } from './23-without-value-statistics.js';

export const schema = 'payments';
export const migrations = [
  Payments1700000000001,
  Projections1700000000002,
  JsonAsText1700000000003,
  SeveralSigners1700000000004,
  AttemptsByExpiry1700000000005,
  DuePayments1700000000006,
  EventsByMonth1700000000007,
  LogGaps1700000000008,
  Notified1700000000009,
  PaymentServices1700000000010,
  SigningBaskets1700000000011,
  LostEvents1700000000012,
  ArchivedMonths1700000000013,
  ArchivedVolume1700000000014,
  StreamKeys1700000000015,
  ArchiveProgress1700000000016,
  PrivacyLog1700000000017,
  ViewStorage1700000000018,
  WithoutEventIndex1700000000019,
  DueLanes1796030000000,
  DueLanesIndex1796030000001,
  HashedIdempotencyKeys1796050000000,
  WithoutValueStatistics1796050000005,
];
