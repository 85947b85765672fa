import type { PaymentEvent } from './payment-events.js';
import type { PaymentState } from './payment-state.js';
import { nextStatus } from './payment-transitions.js';

type Initiated = Extract<PaymentEvent, { type: 'initiated' }>;

function begin({ psuId, authorisationId, ...data }: Initiated['data']): PaymentState {
  return {
    ...data,
    ...(psuId === undefined ? {} : { namedPsuId: psuId }),
    status: 'RCVD',
    authorisation: { authorisationId, scaStatus: 'received' },
    entryBooked: false,
  };
}

/** What an event changes besides the status. */
function changes(state: PaymentState, event: Exclude<PaymentEvent, Initiated>): Partial<PaymentState> {
  const { authorisation } = state;
  switch (event.type) {
    case 'accepted':
      return { authorisation: { ...authorisation, scaStatus: 'psuIdentified', psuId: event.data.psuId } };
    case 'signed':
      return {
        authorisation: { ...authorisation, scaStatus: 'finalised', psuId: event.data.psuId },
        signed: {
          signedAt: event.data.signedAt,
          executionDate: event.data.executionDate,
          dueAt: event.data.dueAt,
        },
      };
    case 'rejected': {
      const psuId = event.data.psuId ?? authorisation.psuId;
      return {
        authorisation: { ...authorisation, scaStatus: 'failed', ...(psuId === undefined ? {} : { psuId }) },
        rejectionReason: event.data.reason,
      };
    }
    case 'cancelled':
      return {
        // A signature stays what it was; an authorisation that can no longer be completed has failed.
        ...(authorisation.scaStatus === 'finalised'
          ? {}
          : { authorisation: { ...authorisation, scaStatus: 'failed' } }),
        ...(event.data.idempotencyKey === undefined ? {} : { cancelledWithKey: event.data.idempotencyKey }),
      };
    case 'funds-refused':
      return { fundsAvailable: false };
    case 'settlement-started':
      return { fundsAvailable: true, ...event.data };
    case 'settled':
      return {};
    case 'entry-booked':
      return { entryBooked: true };
  }
}

/**
 * The payment after an event.
 * @throws Error when the lifecycle has no such transition: the stream is damaged and must not be acted upon.
 */
export function evolvePayment(state: PaymentState | undefined, event: PaymentEvent): PaymentState {
  const status = nextStatus(state, event.type);
  if (status === undefined) {
    throw new Error(`A payment that is ${state?.status ?? 'not initiated'} cannot be ${event.type}.`);
  }
  if (event.type === 'initiated') return begin(event.data);
  if (state === undefined) throw new Error(`A payment that is not initiated cannot be ${event.type}.`);
  return { ...state, ...changes(state, event), status };
}

/** The payment as a stream tells it; undefined for an empty one. */
export const paymentFrom = (events: readonly PaymentEvent[]): PaymentState | undefined =>
  events.reduce<PaymentState | undefined>(evolvePayment, undefined);
