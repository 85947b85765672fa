import { eventType, type EventTypes, type Upcast } from '../event-types.js';
import type { PaymentEventType } from './payment-events.js';

/** Version 2: an order may carry its price (rate, debit, fee). Orders of version 1 had none, and mean the same. */
const mayBePriced: Upcast = (data) => data;

/** Version 3: several persons may have to sign. Before, one did. */
const needsOneSignature: Upcast = (data) => ({ ...(data as object), signaturesRequired: 1 });

/** An address for notifications may be registered with it. Before, none was. */
const mayBeNotified: Upcast = (data) => data;

/** Every event type of a payment (contract 8, Life of a single payment). */
export const paymentEventTypes: EventTypes<PaymentEventType> = {
  initiated: eventType(
    'A TPP initiated a valid payment: RCVD.',
    mayBePriced,
    needsOneSignature,
    mayBeNotified,
  ),
  'authorisation-started': eventType(
    'A TPP started an authorisation by a further person; the status stays.',
    mayBeNotified,
  ),
  accepted: eventType('The PSU is identified and owns the debtor account: ACCP.'),
  'signer-identified': eventType('One of several signers is identified and may sign; the status stays.'),
  'partly-signed': eventType('One of several persons signed, others are still to: PATC.'),
  signed: eventType('The PSU, or the last of several, signed: ACCP, due on its execution date.', mayBePriced),
  'funds-refused': eventType(
    'The account could not cover it when it was due: ACCP with fundsAvailable=false, final.',
  ),
  'settlement-started': eventType('The amount is held and a pending entry is in the history: ACSP.'),
  settled: eventType('The hold is posted in the ledger: ACSC.'),
  'entry-booked': eventType('The entry moved from pending to booked; the status stays.'),
  rejected: eventType(
    'The PSU refused or cancelled, SCA failed, or it was not signed in time: RJCT, final.',
    (data) => data,
  ),
  cancelled: eventType('The TPP cancelled before settlement: CANC, final.'),
};
