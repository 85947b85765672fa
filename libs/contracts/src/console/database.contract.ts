import { call } from '../call.js';
import type { ServiceName } from '../services.js';

/** What a service knows of its database. It contains no personal data. */
export interface DatabaseReport {
  /** Bytes on disk of the whole database, and of this service's schema with its indexes. */
  readonly databaseBytes: number;
  readonly schemaBytes: number;
  readonly migrations: {
    /** The number that have run in the schema. */
    readonly applied: number;
    /** The number that this release of the service needs. */
    readonly needed: number;
    /** The names of the needed ones that have not run. */
    readonly missing: readonly string[];
  };
}

const ask = (subject: string) => call<Record<string, never>, DatabaseReport>(subject, 'idempotent');

/** Asks a service about its database, for each service that has one. For the console, which reads its own. */
export const readDatabase = {
  auth: ask('svc.auth.console.database'),
  consents: ask('svc.consents.console.database'),
  accounts: ask('svc.accounts.console.database'),
  payments: ask('svc.payments.console.database'),
  'settlement-worker': ask('svc.settlement.console.database'),
  notifications: ask('svc.notifications.console.database'),
} as const satisfies Partial<Record<ServiceName, ReturnType<typeof ask>>>;
