import { evolvePayment } from '../evolve-payment.js';
import { mayForbidSettlement } from '../lost-payment-events.js';
import type { PaymentEvent } from '../payment-events.js';
import type { PaymentState } from '../payment-state.js';
import { decideInstantStep, executionOf } from './decide-instant.js';
import type { InstantAnswer } from './instant-answer.js';
import type { InstantStep } from './instant-steps.js';

const ends: ReadonlySet<string> = new Set<PaymentEvent['type']>([
  'instant-rejected',
  'transaction-rejected',
  'instant-answered-late',
]);

/** True if an event of this type ended an instant payment, or an entry of a bulk payment of them, or came after its end. */
export const isInstantEnd = (type: string): boolean => ends.has(type);

/**
 * Returns the events that an instant payment, or a bulk payment of them, gets back after the database lost these events of
 * it (ADR 35), so that it ends as before without an operator. A rejection by the payee's bank comes back as that
 * answer; the worker then voids the hold, which the database may have again, and rejects the payment. A rejection
 * before anything was sent comes back as such. `lost`: oldest first; `now`: ISO instant of the bank's clock. Undefined
 * if a lost event ended the payment in another way, or contradicts its state.
 */
export const lostInstantEnds = (
  before: PaymentState,
  lost: readonly PaymentEvent[],
  now: string,
): readonly PaymentEvent[] | undefined => {
  const events: PaymentEvent[] = [];
  let state = before;
  for (const event of lost) {
    if (!isInstantEnd(event.type) && mayForbidSettlement(event.type)) return undefined;
    const { step, number } = stepOf(event, state);
    if (step === undefined || isNeedless(step, executionOf(state, number))) continue;
    const decision = decideInstantStep(state, step, now, number);
    if ('refused' in decision) return undefined;
    events.push(...decision.events);
    state = decision.events.reduce((next, one) => evolvePayment(next, one, now), state);
  }
  return events;
};

/** An answer says nothing before the amount is held, and the worker voids and rejects after a rejection by the bank. */
const isNeedless = ({ step }: InstantStep, execution: ReturnType<typeof executionOf>): boolean =>
  step === 'answered' ? execution === undefined : execution?.answer?.outcome === 'rejected';

interface LostStep {
  readonly step?: InstantStep;
  readonly number?: number;
}

/** Returns the step by which this event came about, if it has to be taken again. */
const stepOf = (event: PaymentEvent, { service }: PaymentState): LostStep => {
  switch (event.type) {
    case 'instant-answered':
      return { step: ifRejected(event.data) };
    case 'transaction-answered':
      return { step: ifRejected(event.data), number: event.data.number };
    case 'instant-rejected':
      // Of a bulk payment, it follows from its last entry.
      return service === 'bulk-payments' ? {} : { step: { step: 'released', ...event.data } };
    case 'transaction-rejected': {
      const { number, reasonCode } = event.data;
      return { step: { step: 'released', reasonCode }, number };
    }
    case 'instant-answered-late':
      return { step: { step: 'answered', answer: { outcome: 'settled' } }, number: event.data.number };
    default:
      return {};
  }
};

/** The payee's bank repeats a confirmation when it is asked again. */
const ifRejected = ({ answer }: { readonly answer: InstantAnswer }): InstantStep | undefined =>
  answer.outcome === 'rejected' ? { step: 'answered', answer } : undefined;
