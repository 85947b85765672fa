import { Auth1700000000001 } from './1-auth.js';
import { AuthAttempts1700000000002 } from './2-attempts.js';
import { TppRegistration1700000000003 } from './3-tpp-registration.js';
import { FundsGrants1700000000004 } from './4-funds-grants.js';
import { UnknownPsus1700000000005 } from './5-unknown-psus.js';
import { CodesAndBrowsers1700000000006 } from './6-codes-and-browsers.js';
import { HashedIdempotencyKeys1796050000002 } from './10-hashed-idempotency-keys.js';
import { HashedNames1796050000004 } from './10-hashed-names.js';
import { WithoutValueStatistics1796050000007 } from './10-without-value-statistics.js';

export const schema = 'auth';
export const migrations = [
  Auth1700000000001,
  AuthAttempts1700000000002,
  TppRegistration1700000000003,
  FundsGrants1700000000004,
  UnknownPsus1700000000005,
  CodesAndBrowsers1700000000006,
  HashedIdempotencyKeys1796050000002,
  HashedNames1796050000004,
  WithoutValueStatistics1796050000007,
];
