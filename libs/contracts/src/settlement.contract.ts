import { call } from './call.js';

/** Returns once no settlement or booking is due that can be done now; fails with dependencyDown when that takes too long. */
export const drainSettlement = call<Record<string, never>, Record<string, never>>(
  'svc.settlement.drain',
  'idempotent',
  10_000,
);
