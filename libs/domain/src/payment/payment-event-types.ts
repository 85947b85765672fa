import { eventTypesOf, type FieldTable, fieldsOf } from '@xs2a/events/field-tables';
import { authorisationFields } from '../sca/authorisations.js';
import { evidenceFields } from '../sca/signature-evidence.js';
import type { PeriodicSchedule } from '../order/periodic-schedule.js';
import { payeesVerifiedFields } from '../payee/payees-verified.js';
import type {
  ConvertedAmounts,
  InitiationData,
  MinorAmount,
  PaymentEvent,
  PaymentOrder,
} from './payment-events.js';
import type { PaymentState, PlannedOccurrence } from './payment-state.js';

const amountFields: FieldTable<MinorAmount> = { minor: 'plain', currency: 'plain' };

const answerFields = { outcome: 'plain', reasonCode: 'plain' } as const;
const instantFields = { answerBy: 'plain', answer: answerFields, answeredLate: 'plain' } as const;

/** Payer, payee and texts are personal data. An amount on its own does not identify a person. */
const convertedFields: FieldTable<ConvertedAmounts> = {
  amount: amountFields,
  debit: amountFields,
  rate: 'plain',
  fee: amountFields,
};
const orderFields: FieldTable<PaymentOrder> = {
  ...convertedFields,
  debtorIban: 'personal',
  creditorAccount: 'personal',
  creditorName: 'personal',
  remittance: 'personal',
  endToEndId: 'personal',
};
/**
 * The body and the TPP's addresses may contain any personal data, so each is encrypted as a whole.
 */
const initiationFields: FieldTable<InitiationData> = {
  paymentId: 'plain',
  tppId: 'plain',
  product: 'plain',
  paymentType: 'plain',
  body: 'personal',
  psuId: 'personal',
  signaturesRequired: 'plain',
  authorisationId: 'plain',
  redirectUris: 'personal',
  expiresAt: 'plain',
  notification: 'personal',
};

const scheduleFields: FieldTable<PeriodicSchedule> = {
  startDate: 'plain',
  endDate: 'plain',
  numberOfPayments: 'plain',
  frequency: 'plain',
  dayOfExecution: 'plain',
  monthsOfExecution: 'plain',
  executionRule: 'plain',
};
const occurrenceFields: FieldTable<PlannedOccurrence> = {
  number: 'plain',
  executionDate: 'plain',
  dueAt: 'plain',
};

/** Which members of a payment's state are personal data. */
export const paymentStateFields = fieldsOf<PaymentState>({
  paymentId: 'plain',
  tppId: 'plain',
  createdAt: 'plain',
  service: 'plain',
  product: 'plain',
  paymentType: 'plain',
  body: 'personal',
  namedPsuId: 'personal',
  redirectUris: 'personal',
  notification: 'personal',
  expiresAt: 'plain',
  status: 'plain',
  signaturesRequired: 'plain',
  authorisations: authorisationFields,
  signed: { signedAt: 'plain', executionDate: 'plain', dueAt: 'plain', answerBy: 'plain' },
  fundsAvailable: 'plain',
  rejectionReason: 'plain',
  convertedAt: 'plain',
  basketId: 'plain',
  formerBasketIds: 'plain',
  cancelledWithKey: 'personal',
  payeesVerified: payeesVerifiedFields,
  stoppedBy: 'personal',
  order: orderFields,
  orders: orderFields,
  requestedExecutionDate: 'plain',
  holdId: 'plain',
  transactionId: 'plain',
  bookAt: 'plain',
  entryBooked: 'plain',
  instant: instantFields,
  reasonCode: 'plain',
  schedule: scheduleFields,
  planned: occurrenceFields,
  started: { ...occurrenceFields, holdId: 'plain' },
  ended: { number: 'plain', fundsAvailable: 'plain' },
  batchBookingPreferred: 'plain',
  entries: {
    transactionStatus: 'plain',
    fundsAvailable: 'plain',
    holdId: 'plain',
    transactionId: 'plain',
    instant: instantFields,
    reasonCode: 'plain',
  },
});

const ofBasket = { basketId: 'plain' } as const;
const ofSigner = { authorisationId: 'plain', psuId: 'personal' } as const;

/** Every event type of a payment initiation (contract 8, Life of a single payment; contract 9). */
export const paymentEventTypes = eventTypesOf<PaymentEvent>({
  initiated: {
    meaning: 'A TPP initiated a valid payment: RCVD.',
    fields: { ...initiationFields, order: orderFields, requestedExecutionDate: 'plain' },
  },
  'order-initiated': {
    meaning: 'A TPP initiated a valid periodic order: RCVD.',
    fields: { ...initiationFields, order: orderFields, schedule: scheduleFields },
  },
  'bulk-initiated': {
    meaning: 'A TPP initiated a valid bulk payment: RCVD.',
    fields: {
      ...initiationFields,
      orders: orderFields,
      batchBookingPreferred: 'plain',
      requestedExecutionDate: 'plain',
    },
  },
  'authorisation-started': {
    meaning: 'A TPP started an authorisation by another signer; the status is unchanged.',
    fields: { ...ofSigner, redirectUris: 'personal', notification: 'personal' },
  },
  grouped: {
    meaning:
      'The payment was added to a signing basket and is signed there, not on its own; the status is unchanged.',
    fields: ofBasket,
  },
  ungrouped: {
    meaning: 'The signing basket released the payment, or will never include it; the status is unchanged.',
    fields: ofBasket,
  },
  accepted: { meaning: 'The PSU is identified and owns the debtor account: ACCP.', fields: ofSigner },
  'signer-identified': {
    meaning: 'One of several signers is identified and may sign; the status is unchanged.',
    fields: ofSigner,
  },
  'payee-verified': {
    meaning:
      'The names of the payees were compared with the holders of their accounts; the status is unchanged.',
    fields: payeesVerifiedFields,
  },
  'partly-signed': {
    meaning: 'A signer signed; others have yet to sign: PATC.',
    fields: { ...ofSigner, signedAt: 'plain', evidence: evidenceFields },
  },
  signed: {
    meaning: 'The PSU, or the last of several, signed: ACCP, due on its execution date.',
    fields: {
      ...ofSigner,
      signedAt: 'plain',
      evidence: evidenceFields,
      executionDate: 'plain',
      dueAt: 'plain',
      answerBy: 'plain',
      order: orderFields,
    },
  },
  'brought-forward': {
    meaning:
      'In the sandbox, the TPP asked for settlement before the due time: due now; the status is unchanged.',
    fields: { dueAt: 'plain' },
  },
  'converted-to-euro': {
    meaning:
      'The bank switched from leva to euro before the payment was due: its amounts in euro, and its new day if TARGET is closed; the status is unchanged.',
    fields: { at: 'plain', amounts: convertedFields, executionDate: 'plain', dueAt: 'plain' },
  },
  'funds-refused': {
    meaning:
      'The account could not cover the payment, or any entry of a bulk payment, when it was due: ACCP with fundsAvailable=false, final.',
    fields: { reason: 'plain' },
  },
  'settlement-started': {
    meaning: 'The amount is held and a pending entry is in the history: ACSP.',
    fields: { holdId: 'plain', transactionId: 'plain', bookAt: 'plain', answerBy: 'plain' },
  },
  'instant-answered': {
    meaning:
      'The payee’s bank answered an instant payment, or did not in time; the status is unchanged until the hold is posted or voided.',
    fields: { answer: answerFields },
  },
  'instant-rejected': {
    meaning: 'An instant payment was not executed, and nothing is held for it: RJCT with reasonCode, final.',
    fields: { reasonCode: 'plain' },
  },
  'instant-answered-late': {
    meaning:
      'The payee’s bank confirmed an instant payment after its rejection was decided: an operator has to settle it with that bank; the status is unchanged.',
    fields: { number: 'plain' },
  },
  settled: { meaning: 'The hold is posted in the ledger: ACSC.', fields: { postingId: 'plain' } },
  'entry-booked': {
    meaning: 'The entry moved from pending to booked; the status is unchanged.',
    fields: { transactionId: 'plain' },
  },
  'transaction-planned': {
    meaning: 'The next occurrence of a periodic order, and when it is due; the status is unchanged.',
    fields: { number: 'plain', executionDate: 'plain', dueAt: 'plain' },
  },
  'transaction-started': {
    meaning: 'The amount of one occurrence or entry is held and a pending entry is in the history: ACSP.',
    fields: {
      number: 'plain',
      holdId: 'plain',
      transactionId: 'plain',
      bookAt: 'plain',
      answerBy: 'plain',
    },
  },
  'transaction-answered': {
    meaning: 'The payee’s bank answered an entry of instant payments, or did not in time.',
    fields: { number: 'plain', answer: answerFields },
  },
  'transaction-rejected': {
    meaning: 'An entry of instant payments was not executed, and nothing is held for it.',
    fields: { number: 'plain', reasonCode: 'plain' },
  },
  'transaction-settled': {
    meaning: 'The hold of one occurrence or entry is posted in the ledger.',
    fields: { number: 'plain', postingId: 'plain' },
  },
  'transaction-refused': {
    meaning: 'The account could not cover one occurrence or entry when it was due: it is skipped.',
    fields: { number: 'plain', reason: 'plain' },
  },
  completed: {
    meaning:
      'The last occurrence of a periodic order was tried, or every entry of a bulk payment is paid: ACSC.',
    fields: {},
  },
  'partly-completed': {
    meaning: 'Some entries of a bulk payment are paid, the others lacked funds: PART, final.',
    fields: {},
  },
  rejected: {
    meaning:
      'The PSU refused or cancelled, SCA failed, it was not signed in time, or its currency ended: RJCT, final.',
    fields: { ...ofSigner, reason: 'plain' },
  },
  cancelled: {
    meaning: 'The TPP cancelled, or a signer stopped the periodic order (psuId): CANC, final.',
    fields: { tppId: 'plain', idempotencyKey: 'personal', psuId: 'personal' },
    upcasts: [(data) => data],
  },
});
