import { type Decision, happened, refuse } from '../decision.js';
import type { FundsRefusalReason, PaymentEvent } from '../payment/payment-events.js';
import type { BulkEntry, BulkPayment } from '../payment/payment-state.js';
import { deriveStage } from '../payment/payment-transitions.js';
import type { TransactionStep } from '../payment/settlement/step.js';
import type { Profile } from '../profile/profile.js';
import { addSeconds } from '../time/bank-calendar.js';

type BulkDecision = Decision<PaymentEvent>;
const notNow: BulkDecision = refuse('statusForbidsAuthorisation');
const isUnderWay = (state: BulkPayment): boolean =>
  ['signed', 'refusing', 'settling'].includes(deriveStage(state));

/**
 * Decides on a settlement step of an entry (contract 9). A repeated step changes nothing. Fails if the bulk
 * payment was cancelled or the entry was finally refused due to insufficient funds; the caller must then release
 * the entry's hold.
 */
export function decideEntryStep(
  state: BulkPayment,
  step: TransactionStep,
  now: string,
  profile: Profile,
): BulkDecision {
  const { number } = step;
  const entry = state.entries[number - 1];
  if (entry === undefined) return notNow;
  switch (step.step) {
    case 'settlement-started': {
      const { holdId, transactionId } = step;
      if (entry.holdId !== undefined) return entry.holdId === holdId ? happened() : notNow;
      if (entry.fundsAvailable === false || !isUnderWay(state)) return notNow;
      const bookAt = addSeconds(now, profile.bookingDelaySeconds);
      const data = { number, holdId, transactionId, bookAt };
      return happened<PaymentEvent>({ type: 'transaction-started', data });
    }
    case 'settled': {
      if (entry.transactionStatus === 'ACSC') return happened();
      if (entry.transactionStatus !== 'ACSP') return notNow;
      const settled: PaymentEvent = {
        type: 'transaction-settled',
        data: { number, postingId: step.postingId },
      };
      return happened(settled, ...ended(state, number, true));
    }
    case 'funds-refused': {
      if (entry.fundsAvailable === false) return happened();
      if (entry.transactionStatus !== 'ACCP' || !isUnderWay(state)) return notNow;
      const refused: PaymentEvent = { type: 'transaction-refused', data: { number, reason: step.reason } };
      return happened(refused, ...ended(state, number, false, step.reason));
    }
    case 'entry-booked':
      return notNow;
  }
}

const hasEnded = ({ transactionStatus, fundsAvailable }: BulkEntry): boolean =>
  transactionStatus === 'ACSC' || fundsAvailable === false;

/**
 * The result of the bulk payment after its last entry, which depends on whether all, some or no entries were paid
 * (contract 9).
 */
function ended(
  { entries }: BulkPayment,
  number: number,
  isPaid: boolean,
  reason: FundsRefusalReason = 'insufficient-funds',
): PaymentEvent[] {
  const others = entries.filter((_entry, index) => index !== number - 1);
  if (!others.every(hasEnded)) return [];
  const paid = others.filter(({ transactionStatus }) => transactionStatus === 'ACSC').length + Number(isPaid);
  if (paid === entries.length) return [{ type: 'completed', data: {} }];
  if (paid > 0) return [{ type: 'partly-completed', data: {} }];
  return [{ type: 'funds-refused', data: { reason } }];
}
