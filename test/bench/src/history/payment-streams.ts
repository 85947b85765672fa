import { deriveHoldId, derivePostId } from '@xs2a/core-banking/port/booking-keys';
import { expirePayment } from '@xs2a/domain/payment/authorise-payment';
import { type Initiation, decideInitiation } from '@xs2a/domain/payment/decide-payment';
import type { PaymentEvent, PaymentOrder } from '@xs2a/domain/payment/payment-events';
import { decideSettlementSteps } from '@xs2a/domain/payment/settlement/steps';
import type { Profile } from '@xs2a/domain/profile/profile';
import { deriveDebtorEntryId, toTransactionId } from '@xs2a/runtime/booking-ids';
import { newId } from '@xs2a/runtime/ids';
import { choosePayee, type Customer } from '../world/customers.js';
import { paymentBody, product } from '../world/payments.js';
import type { Stream } from '../streams/append-streams.js';
import { idAt } from '../streams/id-at.js';
import { PaymentStory } from '../streams/payment-story.js';

/** The events of a finished payment, and its paid order. */
export interface EndedPayment extends Stream<PaymentEvent> {
  /** Absent if the payment was not signed in time. */
  readonly paid?: PaymentOrder;
}

/** Every tenth payment is not signed in time and has two events; all others are settled and have six. */
const unsignedEvery = 10;
export const eventsOfPayment = (6 * (unsignedEvery - 1) + 2) / unsignedEvery;

const makeOrder = (number: number, iban: string): PaymentOrder => ({
  amount: { minor: 1250, currency: 'BGN' },
  debtorIban: iban,
  creditorAccount: choosePayee(number, iban),
  creditorName: 'Мария Петрова',
  remittance: `Фактура ${number}`,
  endToEndId: `INV-2026-${String(number).padStart(6, '0')}`,
});

/** Creates the payment with the given number and start time (epoch milliseconds). The domain produces every event. */
export const endedPayment = (number: number, { at, payer, tppId, profile }: PaymentBegun): EndedPayment => {
  const [paymentId, authorisationId] = [idAt(at), newId()];
  const order = makeOrder(number, payer.iban);
  const now = new Date(at).toISOString();
  const story = new PaymentStory(now);
  const initiation: Initiation = {
    type: 'initiated',
    data: {
      paymentId,
      tppId,
      product,
      paymentType: 'DOMESTIC',
      body: paymentBody(payer.iban, { number }),
      order,
      signaturesRequired: 1,
      authorisationId,
      redirectUris: {},
    },
  };
  story.add(decideInitiation(initiation, now, profile));
  if (number % unsignedEvery === unsignedEvery - 1) {
    const later = new Date(at + (profile.authorisationSeconds + 1) * 1000).toISOString();
    story.decided(expirePayment(story.state, { now: later }));
    return { id: paymentId, tppId, events: story.events };
  }
  story.sign(payer, authorisationId, now, profile);
  const transactionId = toTransactionId(deriveDebtorEntryId(paymentId));
  const { events, refusedSteps } = decideSettlementSteps(
    story.state,
    [
      { step: 'settlement-started', holdId: deriveHoldId(paymentId), transactionId },
      { step: 'settled', postingId: derivePostId(paymentId) },
      { step: 'entry-booked' },
    ],
    now,
    profile,
  );
  if (refusedSteps.length > 0) throw new Error('a payment of the history was not settled');
  story.add(events);
  return { id: paymentId, tppId, events: story.events, paid: order };
};

interface PaymentBegun {
  readonly at: number;
  readonly payer: Customer;
  readonly tppId: string;
  readonly profile: Profile;
}
