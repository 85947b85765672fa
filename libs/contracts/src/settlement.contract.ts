import { call } from './call.js';

/** Answers once nothing is due for settlement or booking that can be done now; dependencyDown when that takes too long. */
export const drainSettlement = call<Record<string, never>, Record<string, never>>(
  'svc.settlement.drain',
  'idempotent',
  10_000,
);
