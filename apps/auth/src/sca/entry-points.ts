import type { AuthorisationRequest, Closed } from './requests/authorisation-request.js';
import { type AuthorizeParts, type BrowserExchange, openAuthorize } from './requests/authorize-request.js';
import type { BasketAuthorisationRef } from '@xs2a/contracts/baskets.contract';
import { openBasket } from './requests/basket-request.js';
import { type ConsentLink, openConsent } from './requests/consent-request.js';
import { openPayment, type PaymentLink } from './requests/payment-request.js';

/** The ways by which a browser comes to the pages: a scaRedirect or an authorization request. All lead to one flow (sca-flow.ts). */
export class EntryPoints {
  constructor(private readonly parts: AuthorizeParts) {}

  async payment(link: PaymentLink): Promise<AuthorisationRequest | Closed> {
    return openPayment(this.parts, link);
  }

  async consent(link: ConsentLink): Promise<AuthorisationRequest | Closed> {
    return openConsent(this.parts, link);
  }

  async basket(link: BasketAuthorisationRef): Promise<AuthorisationRequest | Closed> {
    return openBasket(this.parts, link);
  }

  /** `psuId` is the PSU who has signed in. */
  async authorize(
    uid: string,
    exchange: BrowserExchange,
    psuId?: string,
  ): Promise<AuthorisationRequest | Closed> {
    return openAuthorize(this.parts, uid, exchange, psuId);
  }
}
