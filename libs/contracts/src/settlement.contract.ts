import { call } from './call.js';

/**
 * Returns once every settlement and booking that is due and possible now is done; fails with dependencyDown if
 * this takes too long.
 */
export const drainSettlement = call<Record<string, never>, Record<string, never>>(
  'svc.settlement.drain',
  'idempotent',
  10_000,
);
