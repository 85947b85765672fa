import { call } from './call.js';

/**
 * Returns once all settlement and booking work that is currently due is done. Fails with dependencyDown if this
 * takes too long.
 */
export const drainSettlement = call<Record<string, never>, Record<string, never>>(
  'svc.settlement.drain',
  'idempotent',
  10_000,
);
