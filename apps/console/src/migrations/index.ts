import { ConsoleBaseline1796300000000 } from './1-baseline.js';
import { OperatorEvents1796400000000 } from './2-operator-events.js';
import { CallFailure1796500000000 } from './3-call-failure.js';
import { CallTrace1796600000000 } from './4-call-trace.js';
import { Reveals1796700000000 } from './5-reveals.js';
import { Decisions1796800000000 } from './6-decisions.js';
import { Jobs1796900000000 } from './7-jobs.js';
import { TppCertificates1797000000000 } from './8-tpp-certificates.js';
import { Standbys1797100000000 } from './9-standbys.js';

export const schema = 'console';
export const migrations = [
  ConsoleBaseline1796300000000,
  OperatorEvents1796400000000,
  CallFailure1796500000000,
  CallTrace1796600000000,
  Reveals1796700000000,
  Decisions1796800000000,
  Jobs1796900000000,
  TppCertificates1797000000000,
  Standbys1797100000000,
];
