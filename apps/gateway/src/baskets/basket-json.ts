import type { BasketRef } from '@xs2a/contracts/baskets.contract';
import { type EdgeRequest, parseId, requireCaller } from '../edge/edge-request.js';
import type {
  BasketCreated,
  BasketItemView,
  BasketStatusView,
  BasketView,
} from '@xs2a/contracts/baskets.contract';
import { basketRejections, rejected } from '@xs2a/domain/failure/status-messages';
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

export const basketStatusJson = ({ transactionStatus, rejectionReason }: BasketStatusView): Json => ({
  transactionStatus,
  tppMessages: rejectionReason && [{ ...rejected, text: basketRejections[rejectionReason] }],
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
