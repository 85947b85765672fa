import type { Clock } from '@xs2a/runtime/clock';
import type { Pool } from 'pg';
import type { CoreBank } from '../../port/core-bank.js';
import { mustNotSwitch, readSwitchOver } from './switch-over-setting.js';

/** A bank with its own core system, whose funds are not confirmed while it switches to euro (contract E6.1). */
export const withClosedFunds = (
  bank: CoreBank,
  { pool, clock }: { readonly pool: Pool; readonly clock: Clock },
): CoreBank => ({
  ...bank,
  funds: {
    covers: async (question, call) => {
      mustNotSwitch(await readSwitchOver(pool), clock.now());
      return bank.funds.covers(question, call);
    },
  },
});
