import type { Decision } from '../decision.js';
import type { Profile } from '../profile/profile.js';
import { bookEntry, refuseFunds, settlePayment, startSettlement } from './decide-payment.js';
import type { FundsRefusalReason, PaymentEvent } from './payment-events.js';
import type { PaymentState } from './payment-state.js';

/** A step of settlement that the worker has done and that is to be recorded in the payment's stream. */
export type SettlementStep =
  | { readonly step: 'settlement-started'; readonly holdId: string; readonly transactionId: string }
  | { readonly step: 'funds-refused'; readonly reason: FundsRefusalReason }
  | { readonly step: 'settled'; readonly postingId: string }
  | { readonly step: 'entry-booked' };

/**
 * Decides about a settlement step for a payment in this state: the events to append, or the failure with which the
 * step is refused. `now` is an ISO instant.
 */
export const decideSettlementStep = (
  state: PaymentState,
  step: SettlementStep,
  now: string,
  profile: Profile,
): Decision<PaymentEvent> => {
  switch (step.step) {
    case 'settlement-started':
      return startSettlement(state, { ...step, now }, profile);
    case 'funds-refused':
      return refuseFunds(state, step);
    case 'settled':
      return settlePayment(state, step);
    case 'entry-booked':
      return bookEntry(state);
  }
};
