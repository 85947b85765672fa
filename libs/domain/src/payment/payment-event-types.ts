import { eventType, type EventTypes, withPersonal } from '../event-types.js';
import type { PersonalMembers } from '../personal-data.js';
import { personalOfAuthorisation } from '../sca/authorisations.js';
import type { PaymentEventType } from './payment-events.js';

/** The personal data in an order: payer, payee and texts. An amount alone does not identify a person. */
const personalOfOrder: PersonalMembers = {
  debtorIban: true,
  creditorAccount: true,
  creditorName: true,
  remittance: true,
  endToEndId: true,
};
/**
 * The personal data in a POST. The body and the TPP's addresses may contain any personal data, so each is
 * encrypted as a whole.
 */
const personalOfInitiation: PersonalMembers = {
  body: true,
  psuId: true,
  redirectUris: true,
  notification: true,
  order: personalOfOrder,
  orders: personalOfOrder,
};
const ofPsu: PersonalMembers = { psuId: true };

/** The personal data in a payment's state. */
export const personalOfPayment: PersonalMembers = {
  body: true,
  namedPsuId: true,
  redirectUris: true,
  notification: true,
  order: personalOfOrder,
  orders: personalOfOrder,
  authorisations: personalOfAuthorisation,
  cancelledWithKey: true,
};

/** Every event type of a payment initiation (contract 8, Life of a single payment; contract 9). */
export const paymentEventTypes: EventTypes<PaymentEventType> = {
  initiated: withPersonal(personalOfInitiation, eventType('A TPP initiated a valid payment: RCVD.')),
  'order-initiated': withPersonal(
    personalOfInitiation,
    eventType('A TPP initiated a valid periodic order: RCVD.'),
  ),
  'bulk-initiated': withPersonal(
    personalOfInitiation,
    eventType('A TPP initiated a valid bulk payment: RCVD.'),
  ),
  'authorisation-started': withPersonal(
    { psuId: true, redirectUris: true, notification: true },
    eventType('A TPP started an authorisation by another signer; the status is unchanged.'),
  ),
  grouped: eventType(
    'The payment was added to a signing basket and is signed there, not on its own; the status is unchanged.',
  ),
  ungrouped: eventType(
    'The signing basket released the payment, or will never include it; the status is unchanged.',
  ),
  accepted: withPersonal(ofPsu, eventType('The PSU is identified and owns the debtor account: ACCP.')),
  'signer-identified': withPersonal(
    ofPsu,
    eventType('One of several signers is identified and may sign; the status is unchanged.'),
  ),
  'partly-signed': withPersonal(ofPsu, eventType('A signer signed; others have yet to sign: PATC.')),
  signed: withPersonal(
    { psuId: true, order: personalOfOrder },
    eventType('The PSU, or the last of several, signed: ACCP, due on its execution date.'),
  ),
  'funds-refused': eventType(
    'The account could not cover the payment, or any entry of a bulk payment, when it was due: ACCP with fundsAvailable=false, final.',
  ),
  'settlement-started': eventType('The amount is held and a pending entry is in the history: ACSP.'),
  settled: eventType('The hold is posted in the ledger: ACSC.'),
  'entry-booked': eventType('The entry moved from pending to booked; the status is unchanged.'),
  'transaction-planned': eventType(
    'The next occurrence of a periodic order, and when it is due; the status is unchanged.',
  ),
  'transaction-started': eventType(
    'The amount of one occurrence or entry is held and a pending entry is in the history: ACSP.',
  ),
  'transaction-settled': eventType('The hold of one occurrence or entry is posted in the ledger.'),
  'transaction-refused': eventType(
    'The account could not cover one occurrence or entry when it was due: it is skipped.',
  ),
  completed: eventType(
    'The last occurrence of a periodic order was tried, or every entry of a bulk payment is paid: ACSC.',
  ),
  'partly-completed': eventType(
    'Some entries of a bulk payment are paid, the others lacked funds: PART, final.',
  ),
  rejected: withPersonal(
    ofPsu,
    eventType('The PSU refused or cancelled, SCA failed, or it was not signed in time: RJCT, final.'),
  ),
  cancelled: withPersonal(
    { idempotencyKey: true },
    eventType('The TPP cancelled before settlement: CANC, final.'),
  ),
};
