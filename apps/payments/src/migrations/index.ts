import { Payments1700000000001 } from './1-payments.js';
import { Projections1700000000002 } from './2-projections.js';
import { JsonAsText1700000000003 } from './3-json-as-text.js';
import { SeveralSigners1700000000004 } from './4-several-signers.js';
import { AttemptsByExpiry1700000000005 } from './5-attempts-by-expiry.js';

export const schema = 'payments';
export const migrations = [
  Payments1700000000001,
  Projections1700000000002,
  JsonAsText1700000000003,
  SeveralSigners1700000000004,
  AttemptsByExpiry1700000000005,
];
