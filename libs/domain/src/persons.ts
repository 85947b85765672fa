import type { BasketState } from './basket/basket-state.js';
import { listIbans } from './consent/consent-events.js';
import type { ConsentState } from './consent/consent-state.js';
import { listOrders, type PaymentState } from './payment/payment-state.js';
import type { Signable } from './sca/authorisations.js';

/** PSUs by their PSU-IDs, and accounts by their IBANs. */
export interface Persons {
  readonly psuIds: readonly string[];
  readonly ibans: readonly string[];
}

/** The PSUs who sign, are to sign or signed in for it, each once. */
const listPsus = ({
  namedPsuId,
  authorisations,
}: Pick<Signable, 'namedPsuId' | 'authorisations'>): string[] => {
  const psus = [namedPsuId, ...authorisations.flatMap((one) => [one.psuId, one.namedPsuId])];
  return [...new Set(psus.filter((psuId) => psuId !== undefined))];
};

/** The persons whose payment it is: those who sign, and the debtor's account. Its creditor is another person's business partner. */
export const personsOfPayment = (state: PaymentState): Persons => ({
  psuIds: listPsus(state),
  ibans: [...new Set(listOrders(state).map(({ debtorIban }) => debtorIban))],
});

/** The persons whose consent it is: those who sign, and the accounts that were asked for or granted. */
export const personsOfConsent = (state: ConsentState): Persons => ({
  psuIds: listPsus(state),
  ibans: [...new Set([...listIbans(state.access), ...state.accounts.map(({ iban }) => iban)])],
});

/** The persons who sign a basket, and the accounts that they chose in it. */
export const personsOfBasket = (state: BasketState): Persons => ({
  psuIds: listPsus(state),
  ibans: state.chosenIbans ?? [],
});
