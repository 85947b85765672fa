import type { SettlementRecord, SettlementRecorded, TransactionRef } from '@xs2a/contracts/payments.contract';
import type { PaymentEvent } from '@xs2a/domain/payment/payment-events';
import type { PaymentState } from '@xs2a/domain/payment/payment-state';
import { hasEnded } from '@xs2a/domain/payment/settlement/due';
import { decideSettlementSteps, type NumberedStep } from '@xs2a/domain/payment/settlement/steps';
import type { Profile } from '@xs2a/domain/profile/profile';

/** Returns the id of the stream in which a transaction is recorded: that of its payment, order or bulk payment. */
export const toStreamId = ({ paymentId, partOf }: TransactionRef): string => partOf?.paymentId ?? paymentId;

/** The steps to record in one stream, and the result of each. */
export interface RecordedSteps {
  readonly events: readonly PaymentEvent[];
  readonly results: readonly SettlementRecorded[];
}

/** Decides on the records of one stream in order, each as if the previous ones were already stored. */
export const recordSteps = (
  state: PaymentState,
  records: readonly SettlementRecord[],
  now: string,
  profile: Profile,
): RecordedSteps => {
  const steps = records.map(numbered);
  const decided = decideSettlementSteps(state, steps, now, profile);
  return {
    events: decided.events,
    results: steps.map((step) => ({
      paymentId: step.paymentId,
      recorded: !decided.refusedSteps.includes(step),
      ended: hasEnded(decided.state, step.number),
    })),
  };
};

const numbered = ({ partOf, ...record }: SettlementRecord): NumberedStep & { readonly paymentId: string } =>
  partOf === undefined ? record : { ...record, number: partOf.number };
