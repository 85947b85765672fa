import {
  acceptBasket,
  type BasketAuthorisation,
  type BasketAuthorisationRef,
  type BasketPayment,
  type BasketPaymentSummary,
  listBasketAccounts,
  readBasketAuthorisation,
  readBasketPayments,
  rejectBasket,
  signBasket,
} from '@xs2a/contracts/baskets.contract';
import { isOpenAuthorisation } from '@xs2a/domain/sca/authorisations';
import { hasPassed } from '@xs2a/domain/time/bank-calendar';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { CallClient } from '@xs2a/calls/client';
import { summarisePayment } from '@xs2a/runtime/signing/basket-summary';
import { isUuid } from '../../oauth/grants/consent-authority.js';
import type { AuthorisationRequest, Closed, EntryPage } from './authorisation-request.js';
import type { Language } from '../catalogue/catalogue.js';
import { isOutdated, isToBePicked, unlessChanged } from './consent-request.js';
import { parseOrigin } from '../pages/page.js';
import {
  decidedFor,
  type RequestParts,
  hasSigned,
  outcomeOfRefusedStep,
  signedOutcome,
  unlessTooLate,
} from './payment-request.js';
import { countEntries, groupIntoPages } from '../review/entry-pages.js';
import { basketContent, basketEntries, basketKind, basketRows } from '../review/basket-review.js';

/** Opens the scaRedirect of a signing basket (contract 10). */
export const openBasket = async (
  parts: RequestParts,
  link: BasketAuthorisationRef,
): Promise<AuthorisationRequest | Closed> => {
  if (!isUuid(link.basketId) || !isUuid(link.authorisationId)) return { closed: 'unknown' };
  const basket = await find(parts.callClient, link);
  if (basket === undefined) return { closed: 'unknown' };
  const isLate = hasPassed(basket.expiresAt, parts.clock.now());
  const expired: Closed = { closed: 'expired', redirect: basket.redirectUris.nok };
  if (isOpen(basket)) return isLate ? expired : basketRequest(parts, link, basket);
  if (basket.transactionStatus === 'RJCT' && isLate && basket.psuId === undefined) return expired;
  return {
    closed: basket.transactionStatus === 'PATC' ? 'signed' : 'used',
    decided: async (psuId) => decidedFor(parts, { ...basket, kind: basketKind(basket) }, psuId),
  };
};

const isOpen = ({ scaStatus, transactionStatus }: BasketAuthorisation): boolean =>
  isOpenAuthorisation({ scaStatus }) && ['RCVD', 'PATC'].includes(transactionStatus);

const find = async (
  callClient: CallClient,
  link: BasketAuthorisationRef,
): Promise<BasketAuthorisation | undefined> => {
  try {
    return await callClient.call(readBasketAuthorisation, link);
  } catch (error) {
    if (error instanceof CallFailed && error.failures.every(({ failure }) => failure === 'resourceUnknown'))
      return undefined;
    throw error;
  }
};

/** Reads some payments of the basket. Throws if they are not the payments to which the code is bound. */
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
 * Combines the consents that leave the choice of accounts to the PSU, who chooses the accounts once for all of
 * them.
 */
const choiceIn = ({ consents, agreedIbans }: BasketAuthorisation) => {
  const first = consents.find(({ psuPicksAccounts }) => psuPicksAccounts);
  return first && { ...first, agreedIbans };
};

const basketRequest = async (
  { callClient, registry, profile, clock }: RequestParts,
  link: BasketAuthorisationRef,
  basket: BasketAuthorisation,
): Promise<AuthorisationRequest> => {
  const { redirectUris, summaries } = basket;
  const reading = (language: Language) => ({ language, profile, now: clock.now() });
  const tppName = (await registry.find(basket.tppId))?.name ?? '';
  const choice = choiceIn(basket);
  const tooLate = async (psuId?: string) => outcomeOfRefusedStep(await find(callClient, link), psuId);
  return {
    kind: basketKind(basket),
    tppName,
    tppId: basket.tppId,
    debtorIban: summaries[0]?.debtorIban,
    picksAccounts: choice !== undefined && isToBePicked(choice),
    refusesSignedIn: basket.isTaken,
    formTargets: [redirectUris.ok, redirectUris.nok]
      .map(parseOrigin)
      .filter((origin) => origin !== undefined),
    identify: async (psuId) => {
      const accepted = await unlessTooLate(() => callClient.call(acceptBasket, { ...link, psuId }));
      if (accepted === undefined) return tooLate(psuId);
      return accepted.scaStatus === 'psuIdentified'
        ? undefined
        : { kind: 'failed', reason: accepted.rejectionReason ?? 'no-longer-possible' };
    },
    accounts: async (psuId) => (await callClient.call(listBasketAccounts, { ...link, psuId })).accounts,
    isOutdated: (state) => choice !== undefined && isOutdated(choice, state),
    rows: (state, language) => basketRows(basket, state, tppName, reading(language)),
    entries:
      summaries.length === 0
        ? undefined
        : async (language, page): Promise<EntryPage> => {
            const pages = groupIntoPages(summaries);
            const at = Math.min(page, pages.length - 1);
            const payments = await readPayments(callClient, basket, pages[at] ?? []);
            return {
              entries: basketEntries(payments, basket, reading(language)),
              at,
              sizes: pages.map(countEntries),
            };
          },
    content: (state) => basketContent(basket, state),
    approve: async (psuId, { chosenIbans }) => {
      const chosen = choice === undefined || chosenIbans === undefined ? {} : { chosenIbans };
      const signed = await unlessChanged(() =>
        unlessTooLate(() => callClient.call(signBasket, { ...link, psuId, ...chosen })),
      );
      if (signed === 'changed') return 'changed';
      return signed === undefined ? tooLate(psuId) : signedOutcome(signed.signaturesMissing);
    },
    refuse: async (reason, psuId) => {
      const rejected = await unlessTooLate(() => callClient.call(rejectBasket, { ...link, psuId, reason }));
      return rejected === undefined ? tooLate(psuId) : { kind: 'failed', reason };
    },
    leave: async (outcome) => (hasSigned(outcome) ? redirectUris.ok : redirectUris.nok),
  };
};
