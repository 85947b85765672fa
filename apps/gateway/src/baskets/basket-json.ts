import type { BasketRef } from '@xs2a/contracts/baskets.contract';
import { type EdgeRequest, parseId, requireCaller } from '../edge/edge-request.js';
import type {
  BasketCreated,
  BasketItemView,
  BasketStatusView,
  BasketView,
} from '@xs2a/contracts/baskets.contract';
import type { RejectionReason } from '@xs2a/domain/payment/payment-events';
import { link } from '../authorisations/link.js';
import { authorisationLinks } from '../authorisations/start-authorisation.js';

type Json = Readonly<Record<string, unknown>>;

export const basketPath = (basketId: string): string => `/v1/signing-baskets/${basketId}`;

export const basketPage = (pagesUrl: string, basketId: string): string =>
  `${pagesUrl}/sca/basket/${basketId}`;

/** The response to POST (contract 10). */
export const createdBasketJson = ({ basketId, authorisationId }: BasketCreated, pagesUrl: string): Json => ({
  transactionStatus: 'RCVD',
  basketId,
  _links: authorisationLinks(authorisationId, {
    self: basketPath(basketId),
    page: basketPage(pagesUrl, basketId),
  }),
});

/** The texts that explain a rejected basket to its TPP. */
const rejectionTexts: Readonly<Record<RejectionReason, string>> = {
  'psu-refused': 'The PSU refused the basket.',
  'psu-cancelled': 'The PSU cancelled the authorisation.',
  'sca-failed': 'The strong customer authentication failed.',
  'not-the-named-psu': 'A PSU other than the one named in PSU-ID signed in.',
  'not-the-account-owner': 'The PSU may not sign for one of the accounts.',
  'debtor-account-unusable': 'No payment can be made from one of the debtor accounts.',
  'not-authorised-in-time': 'The basket was not authorised before the first of its items expired.',
  'lev-ended': 'The lev ended before it was signed. Create it in EUR.',
};

export const basketStatusJson = ({ transactionStatus, rejectionReason }: BasketStatusView): Json => ({
  transactionStatus,
  tppMessages: rejectionReason && [
    { category: 'ERROR', code: 'PAYMENT_FAILED', text: rejectionTexts[rejectionReason] },
  ],
});

const itemJson = (item: BasketItemView): Json => {
  if ('consentId' in item) return { consentId: item.consentId, consentStatus: item.consentStatus };
  const { paymentId, transactionStatus, fundsAvailable } = item;
  return { paymentId, transactionStatus, fundsAvailable };
};

/** The current state of a basket, including the status of each item. */
export const basketJson = (basket: BasketView, basketId: string): Json => ({
  payments: basket.paymentIds.length === 0 ? undefined : basket.paymentIds,
  consents: basket.consentIds.length === 0 ? undefined : basket.consentIds,
  ...basketStatusJson(basket),
  items: basket.items.map(itemJson),
  _links: { self: link(basketPath(basketId)), status: link(`${basketPath(basketId)}/status`) },
});

export const parseBasketRef = (request: EdgeRequest): BasketRef => ({
  tppId: requireCaller(request).tpp.clientId,
  basketId: parseId(request.params['basketId']),
});
