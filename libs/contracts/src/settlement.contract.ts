import { call } from './call.js';

/** Lets the active worker look for due work at once. Without it, the worker looks every second. */
export const wakeSettlement = call<Record<string, never>, Record<string, never>>(
  'svc.settlement.wake',
  'idempotent',
);
/**
 * Returns once all settlement and booking work that is currently due is done. Fails with dependencyDown if this
 * takes too long.
 */
export const drainSettlement = call<Record<string, never>, Record<string, never>>(
  'svc.settlement.drain',
  'idempotent',
  10_000,
);
