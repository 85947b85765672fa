import { Inject, Injectable } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import type { Profile } from '@xs2a/domain/profile/profile';
import { Clock } from '@xs2a/runtime/clock';
import { PROFILE } from '@xs2a/runtime/tokens';
import { Provider } from 'oidc-provider';
import { ConsentAuthority } from '../oauth/grants/consent-authority.js';
import { GrantBindings } from '../oauth/grants/grant-bindings.js';
import { TppRegistry } from '../tpp/tpp-registry.js';
import type { AuthorisationRequest, Closed } from './requests/authorisation-request.js';
import { type AuthorizeParts, type BrowserExchange, openAuthorize } from './requests/authorize-request.js';
import type { BasketAuthorisationRef } from '@xs2a/contracts/baskets.contract';
import type { ConsentAuthorisationRef } from '@xs2a/contracts/consents.contract';
import type { PaymentAuthorisationRef } from '@xs2a/contracts/payments.contract';
import { basketPages } from './requests/basket-pages.js';
import { consentPages } from './requests/consent-pages.js';
import { paymentPages } from './requests/payment-pages.js';
import { openSignable } from './requests/signable-request.js';

/**
 * The entry points of the SCA pages: the scaRedirect link and the authorization request. Both lead to the same
 * flow (sca-flow.ts).
 */
@Injectable()
export class EntryPoints implements AuthorizeParts {
  constructor(
    readonly provider: Provider,
    readonly callClient: CallClient,
    readonly registry: TppRegistry,
    readonly clock: Clock,
    @Inject(PROFILE) readonly profile: Profile,
    readonly consents: ConsentAuthority,
    readonly bindings: GrantBindings,
  ) {}

  async payment(link: PaymentAuthorisationRef): Promise<AuthorisationRequest | Closed> {
    return openSignable(paymentPages, this, link);
  }

  async consent(link: ConsentAuthorisationRef): Promise<AuthorisationRequest | Closed> {
    return openSignable(consentPages, this, link);
  }

  async basket(link: BasketAuthorisationRef): Promise<AuthorisationRequest | Closed> {
    return openSignable(basketPages, this, link);
  }

  /** `psuId` identifies the signed-in PSU. */
  async authorize(
    uid: string,
    exchange: BrowserExchange,
    psuId?: string,
  ): Promise<AuthorisationRequest | Closed> {
    return openAuthorize(this, uid, exchange, psuId);
  }
}
