import { call } from '../call.js';

/** How far a read model has processed the log of its service. */
export interface ReadModelReport {
  readonly name: string;
  /**
   * The version of a projection's rows. Absent for a status view, because each of its rows has its own version and is
   * written together with the event.
   */
  readonly version?: number;
  /**
   * True for a projection that must be rebuilt, because its rows have another version than the release, and for a
   * projection whose rebuild has not ended. Always false for a status view: the upgrade notes state whether a status
   * view must be rebuilt.
   */
  readonly isOutdated: boolean;
  /** The log position up to which the table of the read model contains every event. */
  readonly pos: number;
  /** The number of log positions that the read model has not yet processed. */
  readonly behind: number;
  /** When the read model was last rebuilt completely; absent if it was never rebuilt. @format date-time */
  readonly rebuiltAt?: string;
}

const ask = (subject: string) =>
  call<Record<string, never>, readonly ReadModelReport[]>(subject, 'idempotent');

/** Queries a service for the state of its read models. Called by the console. */
export const readPaymentModels = ask('svc.payments.console.read-models');
export const readConsentModels = ask('svc.consents.console.read-models');
