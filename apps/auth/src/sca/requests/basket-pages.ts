import { CallClient } from '@xs2a/calls/client';
import {
  type BasketAuthorisation,
  basketAuthorisation,
  type BasketAuthorisationRef,
  type BasketPayment,
  type BasketPaymentSummary,
  readBasketPayments,
} from '@xs2a/contracts/baskets.contract';
import { verifyBasketPayees } from '@xs2a/contracts/payees/payees.contract';
import { isOpenAuthorisation } from '@xs2a/domain/sca/authorisations';
import { summarisePayment } from '@xs2a/runtime/signing/basket-summary';
import type { Language } from '../catalogue/catalogue.js';
import { basketContent, basketEntries, basketKind, basketRows } from '../review/basket-review.js';
import { isOutdated, isToBePicked } from '../review/consent-review.js';
import { countEntries, groupIntoPages } from '../review/entry-pages.js';
import type { EntryPage } from './authorisation-request.js';
import type { SignablePages } from './signable-request.js';

/** Reads payments of the basket. Throws if they are not the ones that the code is bound to. */
const readPayments = async (
  callClient: CallClient,
  { basketId, authorisationId, payments }: BasketAuthorisation,
  summaries: readonly BasketPaymentSummary[],
): Promise<readonly BasketPayment[]> => {
  const paymentIds = summaries.map(({ paymentId }) => paymentId);
  if (payments !== undefined) return payments.filter(({ paymentId }) => paymentIds.includes(paymentId));
  const answer = await callClient.call(readBasketPayments, { basketId, authorisationId, paymentIds });
  const isSame = summaries.every(
    ({ digest }, at) => answer.payments[at] && summarisePayment(answer.payments[at]).digest === digest,
  );
  if (!isSame) throw new Error('the payments of the basket differ from those in the displayed total');
  return answer.payments;
};

/**
 * The consents that leave the choice of accounts to the PSU, combined: the PSU chooses the accounts once for all
 * of them.
 */
const choiceIn = ({ consents, agreedIbans }: BasketAuthorisation) => {
  const first = consents.find(({ psuPicksAccounts }) => psuPicksAccounts);
  return first && { ...first, agreedIbans };
};

/** The pages of signing baskets (contract 10). */
export const basketPages: SignablePages<BasketAuthorisationRef, BasketAuthorisation> = {
  calls: basketAuthorisation,
  verifyPayees: verifyBasketPayees,
  linkedState: (basket) => ({
    ...basket,
    isOpen: isOpenAuthorisation(basket) && ['RCVD', 'PATC'].includes(basket.transactionStatus),
    isGrouped: false,
    isRejected: basket.transactionStatus === 'RJCT',
    isCancelled: basket.transactionStatus === 'CANC',
    closed: basket.transactionStatus === 'PATC' ? 'signed' : 'used',
  }),
  review: (basket, { callClient, profile, clock }) => {
    const { summaries } = basket;
    const reading = (language: Language) => ({ language, profile, now: clock.now() });
    const choice = choiceIn(basket);
    const entries = async (language: Language, page: number): Promise<EntryPage> => {
      const pages = groupIntoPages(summaries);
      const at = Math.min(page, pages.length - 1);
      const payments = await readPayments(callClient, basket, pages[at] ?? []);
      return {
        entries: basketEntries(payments, basket, reading(language)),
        at,
        sizes: pages.map(countEntries),
      };
    };
    return {
      kind: basketKind(basket),
      debtorIban: summaries[0]?.debtorIban,
      picksAccounts: choice !== undefined && isToBePicked(choice),
      namedAccounts: basket.consents.length === 0 ? undefined : 'all',
      payees: {
        areToBeVerified: basket.awaitsPayees === true,
        hasWarning: (basket.payeeCounts?.NO_MATCH ?? 0) > 0,
      },
      isOutdated: (state) => choice !== undefined && isOutdated(choice, state),
      rows: (state, language, names) => basketRows(basket, state, { ...reading(language), names }),
      entries: summaries.length === 0 ? undefined : entries,
      content: (state) => basketContent(basket, state),
      chosenIbans: ({ chosenIbans }) => (choice === undefined ? undefined : chosenIbans),
    };
  },
};
