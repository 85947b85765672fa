import type { BasketState } from './basket/basket-state.js';
import { listIbans } from './consent/consent-events.js';
import type { ConsentState } from './consent/consent-state.js';
import { listOrders, type PaymentState } from './payment/payment-state.js';
import type { RejectionReason } from './payment/payment-events.js';
import type { Authorisation, Signable } from './sca/authorisations.js';

/** PSUs by PSU-ID, and accounts by IBAN. */
export interface Persons {
  readonly psuIds: readonly string[];
  readonly ibans: readonly string[];
}

/** The data subjects of a payment, consent or basket. */
export interface Involved extends Persons {
  /**
   * The PSUs who are data subjects: those who signed or were accepted as signers. Any other PSU was only named by
   * the TPP, possibly by mistake, or used a link to another person's account to sign in.
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

/** With several signers, one refusal fails all authorisations, so every PSU who signed in counts as a signer. */
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

/**
 * The data subjects of a payment: its PSUs and the debtor account. The creditor is not included, because the
 * creditor is the business partner of another person.
 */
export const personsOfPayment = (state: PaymentState): Involved => ({
  ...psusOf(state),
  ibans: [...new Set(listOrders(state).map(({ debtorIban }) => debtorIban))],
});

/** The data subjects of a consent: its PSUs, and the requested or granted accounts. */
export const personsOfConsent = (state: ConsentState): Involved => ({
  ...psusOf(state),
  ibans: [...new Set([...listIbans(state.access), ...state.accounts.map(({ iban }) => iban)])],
});

/** The data subjects of a basket: its PSUs, and the accounts that they chose. */
export const personsOfBasket = (state: BasketState): Involved => ({
  ...psusOf(state),
  ibans: state.chosenIbans ?? [],
});
