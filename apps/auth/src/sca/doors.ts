import type { Approval, Closed } from './approvals/approval.js';
import { type AuthorizeParts, type BrowserExchange, openAuthorize } from './approvals/authorize-approval.js';
import type { BasketAuthorisationRef } from '@xs2a/contracts/baskets.contract';
import { openBasket } from './approvals/basket-approval.js';
import { type ConsentLink, openConsent } from './approvals/consent-approval.js';
import { openPayment, type PaymentLink } from './approvals/payment-approval.js';

/** How a browser comes to the pages: by a scaRedirect, or by an authorization request. One flow behind all of them. */
export class Doors {
  constructor(private readonly parts: AuthorizeParts) {}

  async payment(link: PaymentLink): Promise<Approval | Closed> {
    return openPayment(this.parts, link);
  }

  async consent(link: ConsentLink): Promise<Approval | Closed> {
    return openConsent(this.parts, link);
  }

  async basket(link: BasketAuthorisationRef): Promise<Approval | Closed> {
    return openBasket(this.parts, link);
  }

  /** `psuId`: who has signed in. */
  async authorize(uid: string, exchange: BrowserExchange, psuId?: string): Promise<Approval | Closed> {
    return openAuthorize(this.parts, uid, exchange, psuId);
  }
}
