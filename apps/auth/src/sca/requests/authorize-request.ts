import { beginConsentAuthorisation, type ConsentAuthorisation } from '@xs2a/contracts/consents.contract';
import { listIbans } from '@xs2a/domain/consent/consent-events';
import { awaitsAuthorisation } from '@xs2a/domain/consent/consent-transitions';
import { isOpenAuthorisation } from '@xs2a/domain/sca/authorisations';
import { hasPassed } from '@xs2a/domain/time/bank-calendar';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, type InteractionResults, type Provider } from 'oidc-provider';
import type { ConsentAuthority } from '../../oauth/grants/consent-authority.js';
import type { GrantBindings } from '../../oauth/grants/grant-bindings.js';
import { resourceServer, type UserScope } from '../../oauth/grants/scopes.js';
import type { AuthorisationRequest, Closed } from './authorisation-request.js';
import { consentRows, fundsRows, isToBePicked } from '../review/consent-review.js';
import { consentPages, tooLate } from './consent-pages.js';
import type { Outcome } from '../page-sessions.js';
import { parseOrigin } from '../pages/page.js';
import { countMinutesLeft, type RequestParts, signableRequest, unlessTooLate } from './signable-request.js';

export interface AuthorizeParts extends RequestParts {
  readonly provider: Provider;
  readonly consents: Pick<ConsentAuthority, 'findAuthorizable'>;
  readonly bindings: Pick<GrantBindings, 'add'>;
}
/**
 * The browser's request and the response to it, used for the cookies that bind an authorization request to its
 * browser.
 */
export interface BrowserExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}
interface AuthorizationParams {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scope: UserScope;
  readonly consentId?: string;
  /** The handle of the pushed authorization request, if the request was pushed. */
  readonly pushedRequest?: string;
}

/** Opens an oidc-provider authorization request, which ends with a code or with an error for the TPP. */
export const openAuthorize = async (
  parts: AuthorizeParts,
  uid: string,
  exchange: BrowserExchange,
  psuId?: string,
): Promise<AuthorisationRequest | Closed> => {
  const asked = await find(parts.provider, uid, exchange);
  if (asked === undefined) return { closed: 'expired' };
  const finish = (result: InteractionResults): Promise<string> =>
    parts.provider.interactionResult(exchange.request, exchange.response, result, {
      mergeWithLastSubmission: false,
    });
  const wrap = (inner: InnerRequest): AuthorisationRequest => ({
    ...inner,
    hasWayBack: true,
    formTargets: [parseOrigin(asked.redirectUri)].filter((origin) => origin !== undefined),
    leave: async (outcome, whose) => {
      const result = await interactionResult(parts, asked, outcome, whose);
      if (result === denied) await useUp(parts.provider, asked);
      return finish(result);
    },
  });
  const { clientId, consentId } = asked;
  if (consentId === undefined) return wrap(await fundsRequest(parts, clientId));
  const consent = await parts.consents.findAuthorizable(clientId, consentId);
  const inner = consent && (await findAuthorisation(parts, consent, psuId));
  return inner === undefined ? { closed: 'used', redirect: await finish(denied) } : wrap(inner);
};

/** Finds the authorisation for this PSU; undefined if there is nothing, or no longer anything, to authorise. */
const findAuthorisation = async (
  parts: AuthorizeParts,
  consent: ConsentAuthorisation,
  psuId: string | undefined,
): Promise<InnerRequest | undefined> => {
  const { signedBy, signaturesRequired, authorisations } = consent;
  if (!awaitsAuthorisation(consent.consentStatus) || (psuId !== undefined && signedBy.includes(psuId)))
    return renewal(parts, consent);
  if (hasPassed(consent.expiresAt, parts.clock.now())) return undefined;
  if (signaturesRequired > 1 && psuId === undefined) return firstSignIn(parts, consent);
  const own = authorisations.find(
    (one) => isOpenAuthorisation(one) && (signaturesRequired === 1 || one.namedPsuId === psuId),
  );
  if (own === undefined) return undefined;
  const link = { consentId: consent.consentId, authorisationId: own.authorisationId };
  return signableRequest(consentPages, parts, {
    link,
    shown: consent,
    state: consentPages.linkedState(consent, link),
  });
};

/**
 * The request when there are several signers and this PSU is not known yet: signing in starts the PSU's
 * authorisation.
 */
const firstSignIn = async (
  { callClient, registry, clock }: AuthorizeParts,
  consent: ConsentAuthorisation,
): Promise<InnerRequest> => ({
  ...grantOnly,
  kind: 'consent',
  ...(await askerOf(registry, consent.tppId)),
  minutesLeft: countMinutesLeft(consent.expiresAt, clock.nowMs()),
  picksAccounts: isToBePicked(consent),
  refusesSignedIn: consent.signedBy.length > 0,
  isCosigned: consent.signedBy.length > 0,
  identify: async (psuId) => {
    if (consent.signedBy.includes(psuId)) return undefined;
    const { tppId, consentId } = consent;
    const begun = await unlessTooLate(() =>
      callClient.call(beginConsentAuthorisation, { tppId, consentId, psuId }),
    );
    return begun === undefined ? tooLate : undefined;
  },
  rows: () => [],
  content: () => ({ kind: 'consent', resourceId: consent.consentId, accounts: [] }),
});

/** The TPP that asks, as registered with the bank. */
const askerOf = async (
  registry: RequestParts['registry'],
  tppId: string,
): Promise<Pick<AuthorisationRequest, 'tppId' | 'tppName' | 'tppIdentifier'>> => {
  const tpp = await registry.find(tppId);
  return { tppId, tppName: tpp?.name ?? '', tppIdentifier: tpp?.organizationIdentifier };
};

type InnerRequest = Omit<AuthorisationRequest, 'hasWayBack' | 'formTargets' | 'leave'>;

const denied: InteractionResults = {
  error: 'access_denied',
  error_description: 'the request was not authorised',
};

/** Invalidates a pushed request after a refusal; oidc-provider does so only when it issues a code (contract 4). */
const useUp = async (provider: Provider, { pushedRequest }: AuthorizationParams): Promise<void> => {
  if (pushedRequest === undefined) return;
  const request = await provider.PushedAuthorizationRequest.find(pushedRequest, { ignoreExpiration: true });
  await request?.consume().catch((error: unknown) => {
    // The request has already been decided in another window.
    if (!(error instanceof errors.InvalidRequestUri)) throw error;
  });
};

const find = async (
  provider: Provider,
  uid: string,
  { request, response }: BrowserExchange,
): Promise<AuthorizationParams | undefined> => {
  try {
    const interaction = await provider.interactionDetails(request, response);
    const { client_id: clientId, redirect_uri: redirectUri, scope, consentId } = interaction.params;
    if (interaction.uid !== uid || typeof clientId !== 'string' || typeof redirectUri !== 'string')
      return undefined;
    const handle: unknown = Reflect.get(interaction, 'parJti');
    const asked = { clientId, redirectUri, pushedRequest: typeof handle === 'string' ? handle : undefined };
    if (scope === 'PSP_IC') return { ...asked, scope };
    return scope === 'PSP_AI' && typeof consentId === 'string' ? { ...asked, scope, consentId } : undefined;
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined;
    throw error;
  }
};

/**
 * The only place where scopes are granted: always after a PSU's approval, and for account access as defined in the
 * stored consent.
 */
const interactionResult = async (
  { provider, consents, bindings }: AuthorizeParts,
  { clientId, scope, consentId }: AuthorizationParams,
  outcome: Outcome,
  psuId: string | undefined,
): Promise<InteractionResults> => {
  if (outcome.kind === 'failed' || psuId === undefined) return denied;
  if (consentId !== undefined) {
    // If there are several signers, a PSU who has signed gets a code immediately; its token gives no access
    // until all have signed (contract 4, 10).
    const consent = await consents.findAuthorizable(clientId, consentId);
    if (consent?.signedBy.includes(psuId) !== true) return denied;
  }
  const grant = new provider.Grant({ accountId: psuId, clientId });
  grant.addResourceScope(resourceServer, scope);
  const grantId = await grant.save();
  await bindings.add({ grantId, clientId, psuId, scope, consentId });
  return { login: { accountId: psuId, remember: false }, consent: { grantId } };
};

/** The request for access to funds confirmation on all accounts of the PSU (spec 5.2). */
const fundsRequest = async (
  { registry, clock, profile }: AuthorizeParts,
  clientId: string,
): Promise<InnerRequest> => {
  const asker = await askerOf(registry, clientId);
  return {
    ...grantOnly,
    ...asker,
    kind: 'funds',
    identify: async () => undefined,
    rows: (_state, language, names) => fundsRows({ language, profile, names, now: clock.now() }),
    content: () => ({ kind: 'consent', resourceId: `funds-confirmation:${clientId}`, accounts: [] }),
  };
};

/**
 * The request for a consent that is already valid: the same PSU confirms it with SCA, and the TPP gets a new code.
 * The consent does not change (spec 5.4).
 */
const renewal = async (
  { registry, profile }: AuthorizeParts,
  consent: ConsentAuthorisation,
): Promise<InnerRequest> => {
  const asker = await askerOf(registry, consent.tppId);
  const granted = { ...consent, psuPicksAccounts: false };
  return {
    ...grantOnly,
    ...asker,
    kind: 'renewal',
    identify: async (psuId) =>
      consent.signedBy.includes(psuId) ? undefined : { kind: 'failed', reason: 'not-the-named-psu' },
    rows: (state, language, names) => consentRows(granted, state, { language, profile, names }),
    content: () => ({
      kind: 'consent',
      resourceId: consent.consentId,
      accounts: listIbans(consent.access),
    }),
  };
};

/**
 * Members of a request that has no consent to authorise: the approval itself is the grant, and a refusal changes
 * nothing.
 */
const grantOnly = {
  picksAccounts: false,
  refusesSignedIn: false,
  namedAccounts: 'all',
  accounts: async () => [],
  isOutdated: () => false,
  approve: async (): Promise<Outcome> => ({ kind: 'authorised' }),
  refuse: async (reason): Promise<Outcome> => ({ kind: 'failed', reason }),
} satisfies Partial<AuthorisationRequest>;
