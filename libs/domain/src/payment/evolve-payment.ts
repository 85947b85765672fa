import { evolveBulk, newBulk } from '../bulk/evolve-bulk.js';
import { evolveOrder, newOrder } from '../order/evolve-order.js';
import { registeredBy } from '../notification/notification-content.js';
import { evolveConverted } from '../switch-over/evolve-converted.js';
import { authorisationsAfter as after, firstAuthorisations } from '../sca/authorisations.js';
import { reasonCodes } from './instant/instant-answer.js';
import type { InitiationData, PaymentEvent } from './payment-events.js';
import type { PaymentState, SinglePayment } from './payment-state.js';
import { nextStatus } from './payment-transitions.js';

/** The members of a new initiation that are the same for all payment services. */
const begun = <Data extends InitiationData>(
  { psuId, authorisationId, ...data }: Data,
  createdAt: string,
) => ({
  ...data,
  createdAt,
  namedPsuId: psuId,
  status: 'RCVD' as const,
  authorisations: firstAuthorisations(authorisationId, psuId),
});

/** Creates the initial state from the first event of a stream; undefined for any other event. */
function begin(event: PaymentEvent, at: string): PaymentState | undefined {
  switch (event.type) {
    case 'initiated':
      return { ...begun(event.data, at), entryBooked: false };
    case 'order-initiated':
      return newOrder(begun(event.data, at));
    case 'bulk-initiated':
      return newBulk(begun(event.data, at));
    default:
      return undefined;
  }
}

/**
 * Applies an authorisation or cancellation event to the members other than the status; other events change none of
 * them.
 */
function withEvent<State extends PaymentState>(state: State, event: PaymentEvent): State {
  const { authorisations } = state;
  switch (event.type) {
    case 'authorisation-started':
      return {
        ...state,
        authorisations: after.started(authorisations, event.data),
        ...registeredBy(event.data),
      };
    case 'grouped':
      return { ...state, basketId: event.data.basketId };
    case 'ungrouped': {
      const { basketId: _free, ...free } = state;
      return { ...(free as State), formerBasketIds: [...(state.formerBasketIds ?? []), event.data.basketId] };
    }
    case 'accepted':
    case 'signer-identified':
      return { ...state, authorisations: after.identified(authorisations, event.data) };
    case 'payee-verified':
      return { ...state, payeesVerified: event.data };
    case 'partly-signed':
      return { ...state, authorisations: after.partlySigned(authorisations, event.data) };
    case 'signed': {
      const { signedAt, executionDate, dueAt, answerBy } = event.data;
      return {
        ...state,
        authorisations: after.signed(authorisations, event.data),
        signed: { signedAt, executionDate, dueAt, ...(answerBy === undefined ? {} : { answerBy }) },
      };
    }
    case 'rejected':
      return {
        ...state,
        authorisations: after.rejected(authorisations, event.data),
        rejectionReason: event.data.reason,
      };
    case 'cancelled':
      return {
        ...state,
        authorisations: after.cancelled(authorisations),
        cancelledWithKey: event.data.idempotencyKey,
        stoppedBy: event.data.psuId,
      };
    case 'funds-refused':
      return { ...state, fundsAvailable: false };
    case 'converted-to-euro':
      return evolveConverted(state, event.data);
    default:
      return state;
  }
}

function evolveSingle(payment: SinglePayment, event: PaymentEvent): SinglePayment {
  switch (event.type) {
    case 'brought-forward':
      return { ...payment, signed: payment.signed && { ...payment.signed, dueAt: event.data.dueAt } };
    case 'settlement-started': {
      const { answerBy, ...held } = event.data;
      const instant = answerBy === undefined ? {} : { instant: { answerBy } };
      return { ...payment, fundsAvailable: true, ...held, ...instant };
    }
    case 'instant-answered':
      return { ...payment, instant: payment.instant && { ...payment.instant, answer: event.data.answer } };
    case 'instant-answered-late':
      return { ...payment, instant: payment.instant && { ...payment.instant, answeredLate: true } };
    case 'instant-rejected': {
      // Only a lack of funds says something about the funds.
      const { fundsAvailable: _held, ...rest } = payment;
      const { reasonCode } = event.data;
      return reasonCode === reasonCodes.noFunds
        ? { ...rest, reasonCode, fundsAvailable: false }
        : { ...rest, reasonCode };
    }
    case 'entry-booked':
      return { ...payment, entryBooked: true };
    default:
      return payment;
  }
}

/** Applies an event to the members that are specific to its payment service. */
function evolveService(state: PaymentState, event: PaymentEvent): PaymentState {
  switch (state.service) {
    case undefined:
      return evolveSingle(state, event);
    case 'periodic-payments':
      return evolveOrder(state, event);
    case 'bulk-payments':
      return evolveBulk(state, event);
  }
}

/**
 * Increase this version when the fold produces a different result from the same events. A state stored with
 * another version is rebuilt from its events.
 */
export const paymentStateVersion = 2;

/**
 * The payment initiation after an event that occurred at an instant (ISO).
 * @throws Error if the lifecycle has no such transition, which means that the stream is damaged and must not be
 * used.
 */
export function evolvePayment(
  state: PaymentState | undefined,
  event: PaymentEvent,
  at: string,
): PaymentState {
  const status = nextStatus(state, event.type);
  const next = state === undefined ? begin(event, at) : evolveService(withEvent(state, event), event);
  if (status === undefined || next === undefined) {
    throw new Error(`A payment that is ${state?.status ?? 'not initiated'} cannot be ${event.type}.`);
  }
  return { ...next, status };
}

/** The payment initiation folded from events that all occurred at one instant (ISO); undefined for an empty stream. */
export const paymentFrom = (events: readonly PaymentEvent[], at: string): PaymentState | undefined =>
  events.reduce<PaymentState | undefined>((state, event) => evolvePayment(state, event, at), undefined);
