import { call } from './call.js';

/** Works off everything due once the worker has seen the payments' log up to `pos`; answers how much it did. */
export const drainSettlement = call<{ readonly pos: number }, { readonly done: number }>(
  'svc.settlement.drain',
  10_000,
);
