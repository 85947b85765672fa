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
import { basketPages } from './requests/basket-pages.js';
import { consentPages } from './requests/consent-pages.js';
import { paymentPages } from './requests/payment-pages.js';
import { openSignable, type RequestParts } from './requests/signable-request.js';

type Opened = AuthorisationRequest | Closed;
type Opener = (parts: RequestParts, id: string, authorisationId: string) => Promise<Opened>;

/** The kinds of resources that PSUs sign, as named in their links: `/sca/{kind}/{id}/{authorisationId}`. */
const openers: ReadonlyMap<string, Opener> = new Map<string, Opener>([
  [
    'payment',
    (parts, paymentId, authorisationId) => openSignable(paymentPages, parts, { paymentId, authorisationId }),
  ],
  [
    'consent',
    (parts, consentId, authorisationId) => openSignable(consentPages, parts, { consentId, authorisationId }),
  ],
  [
    'basket',
    (parts, basketId, authorisationId) => openSignable(basketPages, parts, { basketId, authorisationId }),
  ],
]);

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

  /** Returns the function that opens the resource of a scaRedirect link; undefined for an unknown kind. */
  findOpener(kind: string, id: string, authorisationId: string): (() => Promise<Opened>) | undefined {
    const open = openers.get(kind);
    return open && (() => open(this, id, authorisationId));
  }

  /** `psuId` identifies the signed-in PSU. */
  async authorize(uid: string, exchange: BrowserExchange, psuId?: string): Promise<Opened> {
    return openAuthorize(this, uid, exchange, psuId);
  }
}
