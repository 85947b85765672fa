import type { BasketState } from './basket/basket-state.js';
import { listIbans } from './consent/consent-events.js';
import type { ConsentState } from './consent/consent-state.js';
import { listOrders, type PaymentState } from './payment/payment-state.js';
import type { RejectionReason } from './payment/payment-events.js';
import type { Authorisation, Signable } from './sca/authorisations.js';

/** PSUs by their PSU-IDs, and accounts by their IBANs. */
export interface Persons {
  readonly psuIds: readonly string[];
  readonly ibans: readonly string[];
}

/** The persons whose a payment, consent or basket is. */
export interface Involved extends Persons {
  /**
   * Those of the PSUs who signed, or whom the bank took for a signer. Anybody else was only named by the TPP, which may have been
   * wrong, or signed in with a link to an account that is not theirs.
   */
  readonly signers: readonly string[];
}

type Signed = Pick<Signable, 'signaturesRequired' | 'namedPsuId' | 'authorisations'> & {
  readonly rejectionReason?: RejectionReason;
};

const strangers: ReadonlySet<RejectionReason> = new Set(['not-the-named-psu', 'not-the-account-owner']);
const each = (psus: readonly (string | undefined)[]): string[] => [
  ...new Set(psus.filter((psuId) => psuId !== undefined)),
];

/** Where several persons sign, one refusal fails the authorisations of all: whoever signed in counts there. */
const isSigner =
  ({ signaturesRequired, rejectionReason }: Signed) =>
  ({ scaStatus }: Authorisation): boolean =>
    scaStatus !== 'failed' ||
    signaturesRequired > 1 ||
    (rejectionReason !== undefined && !strangers.has(rejectionReason));

const psusOf = (signed: Signed): Pick<Involved, 'psuIds' | 'signers'> => ({
  psuIds: each([signed.namedPsuId, ...signed.authorisations.flatMap((one) => [one.psuId, one.namedPsuId])]),
  signers: each(signed.authorisations.filter(isSigner(signed)).map(({ psuId }) => psuId)),
});

/** The persons whose payment it is: its PSUs, and the debtor's account. Its creditor is another person's business partner. */
export const personsOfPayment = (state: PaymentState): Involved => ({
  ...psusOf(state),
  ibans: [...new Set(listOrders(state).map(({ debtorIban }) => debtorIban))],
});

/** The persons whose consent it is: its PSUs, and the accounts that were asked for or granted. */
export const personsOfConsent = (state: ConsentState): Involved => ({
  ...psusOf(state),
  ibans: [...new Set([...listIbans(state.access), ...state.accounts.map(({ iban }) => iban)])],
});

/** The PSUs of a basket, and the accounts that they chose in it. */
export const personsOfBasket = (state: BasketState): Involved => ({
  ...psusOf(state),
  ibans: state.chosenIbans ?? [],
});
