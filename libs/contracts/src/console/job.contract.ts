import { call } from '../call.js';

/**
 * Pauses a running job of the staff, or lets a paused one continue. `isChanged` is false if it was in another state. Fails with
 * resourceUnknown if there is no such job. For the bank's operator, who records the action. No other NATS user may make this call.
 */
export const changeJob = call<
  {
    /** @format uuid */
    readonly jobId: string;
    readonly change: 'pause' | 'continue';
  },
  { readonly isChanged: boolean }
>('svc.console.operator.change-job', 'not-idempotent');
