import { Consents1700000000001 } from './1-consents.js';
import { LogAnchors1700000000002 } from './2-log-anchors.js';
import { JsonAsText1700000000003 } from './3-json-as-text.js';
import { CallRecords1700000000004 } from './4-call-records.js';
import { SeveralSigners1700000000005 } from './5-several-signers.js';
import { Reports1700000000006 } from './6-reports.js';
import { AttemptsByExpiry1700000000007 } from './7-attempts-by-expiry.js';
import { TppStatistics1700000000008 } from './8-tpp-statistics.js';
import { AccountReferences1700000000009 } from './9-account-references.js';
import { EventsByMonth1700000000010 } from './10-events-by-month.js';
import { LogGaps1700000000011 } from './11-log-gaps.js';
import { Notified1700000000012 } from './12-notified.js';
import { NamedCalls1700000000013 } from './13-named-calls.js';
import { LostEvents1700000000014 } from './14-lost-events.js';
import { ArchivedMonths1700000000015 } from './15-archived-months.js';
import { StatisticsEnd1700000000016 } from './16-statistics-end.js';
import { StreamKeys1700000000017 } from './17-stream-keys.js';
import { ArchiveProgress1700000000018 } from './18-archive-progress.js';
import { PrivacyLog1700000000019 } from './19-privacy-log.js';
import { HashedIdempotencyKeys1796050000001 } from './23-hashed-idempotency-keys.js';
import { WithoutValueStatistics1796050000006 } from './23-without-value-statistics.js';

export const schema = 'consents';
export const migrations = [
  Consents1700000000001,
  LogAnchors1700000000002,
  JsonAsText1700000000003,
  CallRecords1700000000004,
  SeveralSigners1700000000005,
  Reports1700000000006,
  AttemptsByExpiry1700000000007,
  TppStatistics1700000000008,
  AccountReferences1700000000009,
  EventsByMonth1700000000010,
  LogGaps1700000000011,
  Notified1700000000012,
  NamedCalls1700000000013,
  LostEvents1700000000014,
  ArchivedMonths1700000000015,
  StatisticsEnd1700000000016,
  StreamKeys1700000000017,
  ArchiveProgress1700000000018,
  PrivacyLog1700000000019,
  HashedIdempotencyKeys1796050000001,
  WithoutValueStatistics1796050000006,
];
