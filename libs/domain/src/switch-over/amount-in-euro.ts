import { firstOccurrence } from '../order/plan-occurrence.js';
import { lastOccurrence } from '../order/occurrence-calendar.js';
import { planExecution } from '../payment/execution-day.js';
import type { MinorAmount } from '../payment/payment-events.js';
import { listOrders, type PaymentState } from '../payment/payment-state.js';
import { total } from '../payment/pricing/price-order.js';
import type { Profile } from '../profile/profile.js';
import { startOfBankDay } from '../time/bank-calendar.js';
import { convertAmounts } from './convert-order.js';

/** True if a payment that is signed now is executed, or an order still pays, at or after the switch-over. */
const runsAfter = (state: PaymentState, at: string, now: string, profile: Profile): boolean => {
  if (state.service !== 'periodic-payments')
    return planExecution(state.requestedExecutionDate, now, profile).dueAt >= at;
  const last = lastOccurrence(state.schedule, profile.holidays);
  return (
    last === undefined ||
    startOfBankDay(last.executionDate, profile.timeZone) >= at ||
    firstOccurrence(state.schedule, now, profile).dueAt >= at
  );
};

/**
 * The amount in euro of a payment in leva that would be executed at or after the planned switch-over, of a bulk payment
 * the total, so that the PSU sees it before signing (contract E6.4). Undefined for any other payment. `at` and
 * `now` are ISO instants.
 */
export const findAmountInEuro = (
  state: PaymentState,
  at: string,
  now: string,
  profile: Profile,
): MinorAmount | undefined => {
  const orders = listOrders(state);
  const isInLeva = orders.every(({ amount }) => amount.currency === 'BGN');
  return isInLeva && runsAfter(state, at, now, profile)
    ? total(orders.map((order) => convertAmounts(order).amount))
    : undefined;
};
