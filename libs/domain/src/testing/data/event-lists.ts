import type { BasketEvent } from '../../basket/basket-events.js';
import type { ConsentEvent } from '../../consent/consent-events.js';
import type { NotificationRegistration } from '../../notification/notification-content.js';
import type {
  ConvertedAmounts,
  InitiationData,
  PaymentEvent,
  PaymentOrder,
} from '../../payment/payment-events.js';
import type { SignatureEvidence } from '../../sca/signature-evidence.js';

/*
 * Fixed lists of events, one for each path through a lifecycle: together they contain every event type and the
 * optional members. `folded-states.spec.ts` compares their folded states with the committed ones. Add lists, but never change one.
 */

const id = (number: number): string => `0193a5c8-0000-7000-8000-${String(number).padStart(12, '0')}`;
const at = '2026-11-20T10:00:00.000Z';
const notification: NotificationRegistration = { uri: 'https://tpp.example/push', content: ['SCA', 'LAST'] };

const order: PaymentOrder = {
  amount: { minor: 12_345, currency: 'EUR' },
  debtorIban: 'BG80BNBG96611020345678',
  creditorAccount: 'DE89370400440532013000',
  creditorName: 'Анна Schmidt',
  remittance: 'Rechnung 1',
  endToEndId: 'E2E-1',
  debit: { minor: 24_145, currency: 'BGN' },
  rate: '1.95583',
  fee: { minor: 150, currency: 'BGN' },
};
const euro: ConvertedAmounts = { amount: order.amount, fee: { minor: 77, currency: 'EUR' } };
const initiation: InitiationData = {
  paymentId: id(1),
  tppId: 'tpp-1',
  product: 'SEPA-Credit-Transfer',
  paymentType: 'SEPA',
  body: { instructedAmount: { currency: 'EUR', amount: '123.45' } },
  psuId: 'ivan',
  signaturesRequired: 1,
  authorisationId: id(11),
  redirectUris: { ok: 'https://tpp.example/ok', nok: 'https://tpp.example/nok' },
  expiresAt: '2026-11-21T10:00:00.000Z',
  notification,
};
const { psuId: _psuId, authorisationId: _authorisationId, ...unnamed } = initiation;
const forTwo: InitiationData = { ...unnamed, signaturesRequired: 2 };
const by = (number: number, psuId: string) => ({ authorisationId: id(number), psuId });
const evidence: SignatureEvidence = {
  binding: 'B'.repeat(43),
  language: 'bg',
  textsVersion: 'T'.repeat(43),
};
const ofBasket: SignatureEvidence = { ...evidence, items: ['I'.repeat(43), 'J'.repeat(43)] };
const initiated: PaymentEvent = {
  type: 'initiated',
  data: { ...initiation, order, requestedExecutionDate: '2026-11-23' },
};
const signed: PaymentEvent = {
  type: 'signed',
  data: {
    ...by(11, 'ivan'),
    signedAt: at,
    evidence,
    executionDate: '2026-11-23',
    dueAt: '2026-11-23T06:00:00.000Z',
    order,
  },
};
const started = { holdId: id(21), transactionId: id(22), bookAt: '2026-11-23T06:01:00.000Z' };
const answerBy = '2026-11-20T10:00:09.000Z';
const signedAtOnce: PaymentEvent = {
  type: 'signed',
  data: { ...by(11, 'ivan'), signedAt: at, executionDate: '2026-11-20', dueAt: at, answerBy, order },
};
const planned = (number: number): PaymentEvent => ({
  type: 'transaction-planned',
  data: { number, executionDate: `2026-12-0${number}`, dueAt: `2026-12-0${number}T06:00:00.000Z` },
});

export const paymentEvents: Readonly<Record<string, readonly PaymentEvent[]>> = {
  'a payment that is settled': [
    initiated,
    { type: 'authorisation-started', data: { authorisationId: id(12), redirectUris: {}, notification } },
    { type: 'accepted', data: by(11, 'ivan') },
    signed,
    { type: 'settlement-started', data: started },
    { type: 'settled', data: { postingId: id(23) } },
    { type: 'entry-booked', data: { transactionId: id(22) } },
  ],
  'a payment that several persons sign, in a basket and out of it again, without funds': [
    { type: 'initiated', data: { ...forTwo, order } },
    { type: 'grouped', data: { basketId: id(2) } },
    { type: 'ungrouped', data: { basketId: id(2) } },
    { type: 'authorisation-started', data: { ...by(11, 'ivan') } },
    { type: 'signer-identified', data: by(11, 'ivan') },
    { type: 'partly-signed', data: { ...by(11, 'ivan'), signedAt: at, evidence: ofBasket } },
    { type: 'authorisation-started', data: { authorisationId: id(12) } },
    { type: 'authorisation-started', data: { authorisationId: id(13) } },
    {
      type: 'signed',
      data: { ...by(12, 'maria'), signedAt: at, executionDate: '2026-11-20', dueAt: at },
    },
    { type: 'funds-refused', data: { reason: 'insufficient-funds' } },
  ],
  'a payment that is rejected': [
    initiated,
    { type: 'rejected', data: { ...by(11, 'ivan'), reason: 'sca-failed' } },
  ],
  'a payment that is cancelled': [
    initiated,
    { type: 'accepted', data: by(11, 'ivan') },
    signed,
    { type: 'cancelled', data: { tppId: 'tpp-1', idempotencyKey: 'key' } },
  ],
  'a periodic order that runs to its end': [
    {
      type: 'order-initiated',
      data: {
        ...initiation,
        order,
        schedule: {
          startDate: '2026-12-01',
          numberOfPayments: 2,
          frequency: 'MonthlyVariable',
          dayOfExecution: 1,
          monthsOfExecution: [1, 12],
          executionRule: 'following',
        },
      },
    },
    { type: 'accepted', data: by(11, 'ivan') },
    signed,
    planned(1),
    { type: 'transaction-refused', data: { number: 1, reason: 'insufficient-funds' } },
    planned(2),
    { type: 'transaction-started', data: { number: 2, ...started } },
    { type: 'transaction-settled', data: { number: 2, postingId: id(23) } },
    { type: 'completed', data: {} },
  ],
  'a periodic order that is cancelled while an occurrence is held': [
    {
      type: 'order-initiated',
      data: {
        ...initiation,
        order,
        schedule: { startDate: '2026-12-01', endDate: '2027-12-01', frequency: 'Weekly' },
      },
    },
    { type: 'accepted', data: by(11, 'ivan') },
    signed,
    planned(1),
    { type: 'transaction-started', data: { number: 1, ...started } },
    { type: 'cancelled', data: { tppId: 'tpp-1' } },
    { type: 'transaction-settled', data: { number: 1, postingId: id(23) } },
  ],
  'a bulk payment of which one entry is refused': [
    {
      type: 'bulk-initiated',
      data: {
        ...initiation,
        orders: [order, { ...order, creditorName: 'Boris' }],
        batchBookingPreferred: true,
        requestedExecutionDate: '2026-11-23',
      },
    },
    { type: 'accepted', data: by(11, 'ivan') },
    signed,
    { type: 'transaction-refused', data: { number: 1, reason: 'creditor-account-unusable' } },
    { type: 'transaction-started', data: { number: 2, ...started } },
    { type: 'transaction-settled', data: { number: 2, postingId: id(23) } },
    { type: 'partly-completed', data: {} },
  ],
  'a payment that is settled before its due time': [
    initiated,
    { type: 'accepted', data: by(11, 'ivan') },
    signed,
    { type: 'brought-forward', data: { dueAt: at } },
    { type: 'settlement-started', data: started },
  ],
  'a periodic order whose next occurrence is executed before its due time': [
    {
      type: 'order-initiated',
      data: { ...initiation, order, schedule: { startDate: '2026-12-01', frequency: 'Monthly' } },
    },
    { type: 'accepted', data: by(11, 'ivan') },
    signed,
    planned(1),
    { type: 'brought-forward', data: { dueAt: at } },
    { type: 'transaction-started', data: { number: 1, ...started } },
    { type: 'transaction-settled', data: { number: 1, postingId: id(23) } },
    planned(2),
    { type: 'brought-forward', data: { dueAt: at } },
  ],
  'a bulk payment that is settled before its due time': [
    {
      type: 'bulk-initiated',
      data: { ...initiation, orders: [order, order], batchBookingPreferred: false },
    },
    { type: 'accepted', data: by(11, 'ivan') },
    signed,
    { type: 'brought-forward', data: { dueAt: at } },
    { type: 'transaction-started', data: { number: 1, ...started } },
  ],
  'a payment whose payee is verified before it is signed': [
    initiated,
    { type: 'accepted', data: by(11, 'ivan') },
    {
      type: 'payee-verified',
      data: {
        authorisationId: id(11),
        requestId: id(13),
        askedAt: at,
        answeredAt: '2026-11-20T10:00:00.120Z',
        language: 'bg',
        textsVersion: 'T'.repeat(43),
        isOptedOut: false,
        payees: [
          {
            iban: order.creditorAccount,
            name: order.creditorName,
            verdict: 'CLOSE_MATCH',
            disclosedName: 'Anna Schmid',
          },
          { iban: order.creditorAccount, name: 'Nobody', verdict: 'NOT_POSSIBLE', reason: 'too-slow' },
        ],
      },
    },
    signed,
  ],
  'an instant payment that is settled': [
    { type: 'initiated', data: { ...initiation, order } },
    { type: 'accepted', data: by(11, 'ivan') },
    signedAtOnce,
    { type: 'settlement-started', data: { ...started, answerBy } },
    { type: 'instant-answered', data: { answer: { outcome: 'settled' } } },
    { type: 'settled', data: { postingId: id(23) } },
    { type: 'entry-booked', data: { transactionId: id(22) } },
  ],
  'an instant payment that is rejected and confirmed late': [
    { type: 'initiated', data: { ...initiation, order } },
    { type: 'accepted', data: by(11, 'ivan') },
    signedAtOnce,
    { type: 'settlement-started', data: { ...started, answerBy } },
    { type: 'instant-answered', data: { answer: { outcome: 'rejected', reasonCode: 'AB05' } } },
    { type: 'instant-rejected', data: { reasonCode: 'AB05' } },
    { type: 'instant-answered-late', data: {} },
  ],
  'a bulk payment of instant payments of which one is rejected and confirmed late': [
    {
      type: 'bulk-initiated',
      data: { ...initiation, orders: [order, order], batchBookingPreferred: false },
    },
    { type: 'accepted', data: by(11, 'ivan') },
    signed,
    { type: 'transaction-started', data: { number: 1, ...started, answerBy } },
    {
      type: 'transaction-answered',
      data: { number: 1, answer: { outcome: 'rejected', reasonCode: 'AB05' } },
    },
    { type: 'transaction-rejected', data: { number: 1, reasonCode: 'AB05' } },
    { type: 'transaction-started', data: { number: 2, ...started, answerBy } },
    { type: 'transaction-answered', data: { number: 2, answer: { outcome: 'settled' } } },
    { type: 'transaction-settled', data: { number: 2, postingId: id(23) } },
    { type: 'partly-completed', data: {} },
    { type: 'instant-answered-late', data: { number: 1 } },
  ],
  'an instant payment without funds': [
    { type: 'initiated', data: { ...initiation, order } },
    { type: 'accepted', data: by(11, 'ivan') },
    signedAtOnce,
    { type: 'instant-rejected', data: { reasonCode: 'AM04' } },
  ],
  'a payment that is converted to euro': [
    initiated,
    { type: 'accepted', data: by(11, 'ivan') },
    signed,
    { type: 'converted-to-euro', data: { at, amounts: [euro], executionDate: '2026-11-24', dueAt: at } },
  ],
  'a periodic order that is converted to euro': [
    {
      type: 'order-initiated',
      data: { ...initiation, order, schedule: { startDate: '2026-12-01', frequency: 'Monthly' } },
    },
    { type: 'accepted', data: by(11, 'ivan') },
    signed,
    planned(1),
    { type: 'converted-to-euro', data: { at, amounts: [euro], executionDate: '2026-12-02', dueAt: at } },
  ],
  'a bulk payment that is converted to euro': [
    {
      type: 'bulk-initiated',
      data: { ...initiation, orders: [order, order], batchBookingPreferred: false },
    },
    { type: 'accepted', data: by(11, 'ivan') },
    signed,
    {
      type: 'converted-to-euro',
      data: {
        at,
        amounts: [
          { amount: order.amount, fee: euro.fee },
          { ...euro, debit: { minor: 12_400, currency: 'EUR' }, rate: '1.0045' },
        ],
      },
    },
  ],
};

const opened: BasketEvent = {
  type: 'basket-opened',
  data: {
    basketId: id(2),
    tppId: 'tpp-1',
    paymentIds: [id(1)],
    consentIds: [id(3)],
    psuId: 'ivan',
    signaturesRequired: 1,
    authorisationId: id(11),
    redirectUris: { ok: 'https://tpp.example/ok' },
    expiresAt: '2026-11-21T10:00:00.000Z',
    abandonAt: '2026-11-20T10:01:00.000Z',
    notification,
  },
};
const created: BasketEvent = { type: 'basket-created', data: {} };
const updated: BasketEvent = { type: 'basket-items-updated', data: {} };

export const basketEvents: Readonly<Record<string, readonly BasketEvent[]>> = {
  'a basket that several persons sign': [
    opened,
    created,
    { type: 'basket-authorisation-started', data: { ...by(12, 'maria'), redirectUris: {}, notification } },
    { type: 'basket-authorisation-started', data: { authorisationId: id(13) } },
    { type: 'basket-signer-identified', data: by(11, 'ivan') },
    {
      type: 'basket-partly-signed',
      data: {
        ...by(11, 'ivan'),
        signedAt: at,
        evidence: ofBasket,
        chosenIbans: ['BG80BNBG96611020345678'],
      },
    },
    { type: 'basket-signed', data: { ...by(12, 'maria'), signedAt: at } },
    updated,
    { type: 'basket-completed', data: {} },
  ],
  'a basket that is abandoned': [
    opened,
    { type: 'basket-abandoned', data: { failure: 'resourceUnknown', path: 'paymentIds[0]' } },
    updated,
  ],
  'a basket that is rejected': [
    opened,
    created,
    { type: 'basket-rejected', data: { ...by(11, 'ivan'), reason: 'psu-refused' } },
  ],
  'a basket that is cancelled': [
    opened,
    created,
    { type: 'basket-cancelled', data: { tppId: 'tpp-1', idempotencyKey: 'key' } },
  ],
};

const iban = 'BG80BNBG96611020345678';
const accounts = [{ iban, resourceId: id(31), currency: 'BGN', access: ['accounts', 'balances'] }] as const;
const consentCreated: ConsentEvent = {
  type: 'created',
  data: {
    consentId: id(3),
    tppId: 'tpp-1',
    access: { accounts: [{ iban, currency: 'BGN', cashAccountType: 'CACC' }] },
    psuPicksAccounts: false,
    recurringIndicator: true,
    validUntil: '2027-02-01',
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
    psuId: 'ivan',
    psuCorporateId: 'corporate',
    signaturesRequired: 1,
    corporateId: 'corporate',
    authorisationId: id(11),
    redirectUris: { ok: 'https://tpp.example/ok' },
    expiresAt: '2026-11-21T10:00:00.000Z',
    notification,
  },
};
const authorised: ConsentEvent = { type: 'authorised', data: { ...by(11, 'ivan'), accounts, evidence } };

export const consentEvents: Readonly<Record<string, readonly ConsentEvent[]>> = {
  'a consent that several persons authorise, in a basket and out of it again': [
    consentCreated,
    { type: 'grouped', data: { basketId: id(2) } },
    { type: 'ungrouped', data: { basketId: id(2) } },
    { type: 'authorisation-started', data: { ...by(12, 'maria'), redirectUris: {}, notification } },
    { type: 'authorisation-started', data: { authorisationId: id(13) } },
    { type: 'partly-authorised', data: { ...by(11, 'ivan'), accounts, evidence } },
    { type: 'authorised', data: { ...by(12, 'maria'), accounts } },
    { type: 'revoked-by-psu', data: { psuId: 'ivan' } },
  ],
  'a consent that is used once': [
    consentCreated,
    authorised,
    { type: 'first-used', data: { expiresAt: '2026-11-20T10:20:00.000Z' } },
    { type: 'expired', data: { reason: 'one-off-used' } },
  ],
  'a consent that the TPP ends': [
    consentCreated,
    authorised,
    { type: 'terminated-by-tpp', data: { tppId: 'tpp-1' } },
  ],
  'a consent that is rejected': [
    consentCreated,
    { type: 'rejected', data: { ...by(11, 'ivan'), reason: 'psu-refused' } },
  ],
};
