import { registeredBy } from '../notification/notification-content.js';
import { withAuthorisation, withOthersEnded, withStarted } from '../sca/authorisations.js';
import type { PaymentEvent } from './payment-events.js';
import type { PaymentState } from './payment-state.js';
import { nextStatus } from './payment-transitions.js';

type Initiated = Extract<PaymentEvent, { type: 'initiated' }>;

function begin({ psuId, authorisationId, ...data }: Initiated['data']): PaymentState {
  return {
    ...data,
    ...(psuId === undefined ? {} : { namedPsuId: psuId }),
    status: 'RCVD',
    authorisations: authorisationId === undefined ? [] : withStarted([], { authorisationId, psuId }),
    entryBooked: false,
  };
}

const signedBy = (
  { authorisations }: PaymentState,
  { authorisationId, psuId, signedAt }: Extract<PaymentEvent, { type: 'partly-signed' }>['data'],
): PaymentState['authorisations'] =>
  withAuthorisation(authorisations, authorisationId, { scaStatus: 'finalised', psuId, signedAt });

/** The members of the state that an event changes besides the status. */
function changes(state: PaymentState, event: Exclude<PaymentEvent, Initiated>): Partial<PaymentState> {
  const { authorisations } = state;
  switch (event.type) {
    case 'authorisation-started':
      return { authorisations: withStarted(authorisations, event.data), ...registeredBy(event.data) };
    case 'accepted':
    case 'signer-identified': {
      const { authorisationId, psuId } = event.data;
      return {
        authorisations: withAuthorisation(authorisations, authorisationId, {
          scaStatus: 'psuIdentified',
          psuId,
        }),
      };
    }
    case 'partly-signed':
      return { authorisations: signedBy(state, event.data) };
    case 'signed': {
      const { signedAt, executionDate, dueAt } = event.data;
      return {
        authorisations: withOthersEnded(signedBy(state, event.data), 'exempted'),
        signed: { signedAt, executionDate, dueAt },
      };
    }
    case 'rejected': {
      const { authorisationId, psuId, reason } = event.data;
      const by = psuId === undefined ? {} : { psuId };
      return {
        authorisations: withOthersEnded(withAuthorisation(authorisations, authorisationId, by), 'failed'),
        rejectionReason: reason,
      };
    }
    case 'cancelled':
      return {
        // A signature stays what it was; an authorisation that can no longer be completed has failed.
        authorisations: withOthersEnded(authorisations, 'failed'),
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
