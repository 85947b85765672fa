import type { SettlementRecord, SettlementRecorded } from '@xs2a/contracts/payments.contract';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import type { Changed } from '@xs2a/event-store/event-store';

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
  };
};
