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
import { openBasket } from './requests/basket-request.js';
import { type ConsentLink, openConsent } from './requests/consent-request.js';
import { openPayment, type PaymentLink } from './requests/payment-request.js';

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

  async payment(link: PaymentLink): Promise<AuthorisationRequest | Closed> {
    return openPayment(this, link);
  }

  async consent(link: ConsentLink): Promise<AuthorisationRequest | Closed> {
    return openConsent(this, link);
  }

  async basket(link: BasketAuthorisationRef): Promise<AuthorisationRequest | Closed> {
    return openBasket(this, link);
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
