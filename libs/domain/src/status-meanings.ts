import type { BasketStatus } from './basket/basket-transitions.js';
import type { ConsentStatus } from './consent/consent-state.js';
import type { PaymentStatus } from './payment/payment-state.js';

/** What a status means, for people who do not know the codes of ISO 20022. */
interface Meaning {
  /** One or two words. */
  readonly word: string;
  /** One sentence without its full stop. */
  readonly text: string;
}

/** The statuses of payments, orders, bulk payments and signing baskets (contract 8, 9, 10). */
export const transactionStatusMeanings: Readonly<Record<PaymentStatus | BasketStatus, Meaning>> = {
  RCVD: { word: 'received', text: 'The TPP has sent it; nobody has signed it' },
  PATC: { word: 'partly signed', text: 'Some but not all of several signers have signed' },
  ACTC: { word: 'signed', text: 'All signers of a signing basket have signed; its items are not final' },
  ACCP: {
    word: 'accepted',
    text: 'The PSU signed in and the checks passed: it waits for the signature, or is signed and waits for its due time; without funds it stays so for good',
  },
  ACSP: { word: 'settling', text: 'The funds are held; of an order, the first occurrence was executed' },
  ACSC: { word: 'settled', text: 'It is posted in the ledger: final' },
  PART: {
    word: 'partly settled',
    text: 'Of a bulk payment, some entries are paid and some had no funds: final',
  },
  RJCT: { word: 'rejected', text: 'The PSU refused, SCA failed, or it was not signed in time: final' },
  CANC: { word: 'cancelled', text: 'The TPP deleted it: final' },
};

/** The statuses of consents (contract 5). */
export const consentStatusMeanings: Readonly<Record<ConsentStatus, Meaning>> = {
  received: { word: 'received', text: 'The TPP has sent it; nobody has signed it' },
  partiallyAuthorised: { word: 'partly signed', text: 'The first of several signers has signed' },
  valid: { word: 'valid', text: 'The PSU, or the last signer, has signed: it may be used' },
  rejected: { word: 'rejected', text: 'The PSU refused, SCA failed, or it was not signed in time: final' },
  revokedByPsu: { word: 'revoked', text: 'The PSU withdrew it: final' },
  expired: {
    word: 'expired',
    text: 'Its date has passed, a one-off consent is used up, or a newer one replaced it: final',
  },
  terminatedByTpp: { word: 'ended by the TPP', text: 'The TPP deleted it: final' },
};
