import * as accounts from '@xs2a/accounts/migrations';
import * as auth from '@xs2a/auth/migrations';
import * as consents from '@xs2a/consents/migrations';
import * as operatorsConsole from '@xs2a/console/migrations';
import * as notifications from '@xs2a/notifications/migrations';
import * as payments from '@xs2a/payments/migrations';
import * as settlementWorker from '@xs2a/settlement-worker/migrations';

/** The tables of every service, each with its schema and its migrations, in execution order. */
export const tables = [
  accounts,
  consents,
  payments,
  settlementWorker,
  notifications,
  operatorsConsole,
  auth,
] as const;
