import type { SettlementRecord, SettlementRecorded } from '@xs2a/contracts/payments.contract';
import type { Decision } from '@xs2a/domain/decision';
import { bookEntry, refuseFunds, settlePayment, startSettlement } from '@xs2a/domain/payment/decide-payment';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { Changed } from '@xs2a/event-store/event-store';

/** What a step of the settlement saga means for a payment as it is now. */
export const decideStep = (
  state: PaymentState,
  record: SettlementRecord,
  now: string,
  profile: Profile,
): Decision<PaymentEvent> => {
  switch (record.step) {
    case 'settlement-started':
      return startSettlement(state, { ...record, now }, profile);
    case 'funds-refused':
      return refuseFunds(state, record);
    case 'settled':
      return settlePayment(state, record);
    case 'entry-booked':
      return bookEntry(state);
  }
};

/** The records in rounds in which each payment comes once, so that several steps of one payment keep their order. */
export const inRounds = (records: readonly SettlementRecord[]): SettlementRecord[][] => {
  const rounds: SettlementRecord[][] = [];
  const seen = new Map<string, number>();
  for (const record of records) {
    const round = seen.get(record.paymentId) ?? 0;
    seen.set(record.paymentId, round + 1);
    const existing = rounds[round];
    if (existing === undefined) rounds.push([record]);
    else existing.push(record);
  }
  return rounds;
};

/** `refusedState`: the payment as it was when the step was refused. */
export const recordedOf = (
  paymentId: string,
  changed: Changed<PaymentState> | undefined,
  refusedState: PaymentState | undefined,
): SettlementRecorded => {
  const recorded = changed !== undefined && 'state' in changed;
  const state = recorded ? changed.state : refusedState;
  return {
    paymentId,
    recorded,
    ...(state === undefined ? {} : { transactionStatus: state.status }),
    ...(state?.bookAt === undefined ? {} : { bookAt: state.bookAt }),
  };
};
